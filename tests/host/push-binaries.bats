#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# push --binaries: what the build-id cache has of recorded builds goes to a directory, an HTTP server
# and a bucket (tests/lib/bucket.js), each file once, also where the server fails; and from there
# debuginfod-find, a stock debuginfod and report on a machine without the files get it.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

# A server that is gone when its recording is looked at: captured in full, and its symbols alone.
setup_file() {
	load ../lib/recording.bash
	cd "$BATS_FILE_TMPDIR" || exit
	mkdir bin
	cp "$tools/worker" bin/worker
	await is_no_longer_young bin/worker
	record -q -e cpu-clock -F 999 --capture=full --buildid-dir full -o data -- bin/worker 300 >out
	record -q -e cpu-clock -F 999 --capture=symbols --buildid-dir symbols -o data.symbols -- bin/worker 300 >out
	rm bin/worker
}

setup() {
	load ../lib/recording.bash
	load ../lib/debuginfod.bash
	dir=$BATS_FILE_TMPDIR
	export HOME=$PWD
	unset DEBUGINFOD_URLS PERF_BUILDID_DIR
	id=$(readelf -n "$tools/worker" | sed -n 's/.*Build ID: //p')
}

teardown() {
	recording__end
}

# push URL [OPTION...]: of the recording, with what was captured in full.
push() {
	"$perfstamp" push --binaries --state "$PWD/state" --buildid-dir "${cache:-$dir/full}" "${@:2}" "$1" \
		"${data:-$dir/data}"
}

# start_bucket [ID SECRET TOKEN]
start_bucket() {
	mkdir -p server
	[ "$#" -eq 0 ] || echo "$@" >server/keys
	start node "$root/tests/lib/bucket.js" server port
	await test -s port
	address=http://127.0.0.1:$(cat port)
}

# fetched KIND URL: what a client of debuginfod gets, by elfutils' own.
fetched() {
	rm -rf .cache
	DEBUGINFOD_URLS=$2 debuginfod-find "$1" "$id" 2>find.err
}

@test "a directory: a file per build-id, whole, once; debuginfod's client and server read it" {
	run -0 push "file://$PWD/served" --path '*/bin/worker'
	[ "$output" = "1 file sent (1 binary, $(stat -c %s "$tools/worker") bytes)" ] ||
		[[ $output = "1 file sent (2 binaries, "* ]]
	cmp "served/buildid/$id/executable" "$tools/worker"
	[ "$(find served -type f | grep -vc -e '/executable$' -e '/debuginfo$')" -eq 0 ]
	[ "$(stat -c %a "served/buildid/$id" "served/buildid/$id/executable" | xargs)" = '755 644' ]
	cmp "$(fetched executable "file://$PWD/served")" "$tools/worker"
	# Again, whatever is known of what was sent.
	touch -d '2020-01-01' "served/buildid/$id/executable"
	rm state
	run -0 push "file://$PWD/served"
	[[ $output = *'there already'* ]]
	[ "$(stat -c %Y "served/buildid/$id/executable")" -eq "$(date -d '2020-01-01' +%s)" ]
	debuginfod__start "$PWD/served" executable "$id"
	cmp "$(fetched executable "http://127.0.0.1:$port")" "$tools/worker"
}

@test "a bucket, with keys from a file: it is signed as Amazon describes it, and report reads it on another host" {
	start_bucket KEY 'se/cr+et' token
	export AWS_ENDPOINT_URL=$address AWS_REGION=eu-test-1 AWS_SHARED_CREDENTIALS_FILE=$PWD/keys
	printf '[other]\naws_access_key_id = NO\n[default]\naws_access_key_id = KEY\naws_secret_access_key=se/cr+et\naws_session_token = token\n' >keys
	run -0 push s3://fleet/symbols -v
	[[ $output = *"buildid/$id/executable: $dir/bin/worker, $(stat -c %s "$tools/worker") bytes"* ]]
	run ! grep -q '^403' server/log
	[ "$(awk '{ print $4 }' server/log | sort -u)" = AWS4-HMAC-SHA256 ]
	cmp "server/objects/fleet/symbols/buildid/$id/executable" "$tools/worker"
	# Nothing of it is here, and the file is gone.
	"$perfstamp" report --no-debuginfod --buildid-dir none -i "$dir/data" >without
	DEBUGINFOD_URLS=$address/fleet/symbols "$perfstamp" report --buildid-dir none -i "$dir/data" >with
	"$perfstamp" report --no-debuginfod --buildid-dir "$dir/full" -i "$dir/data" >expected
	diff expected with
	run ! diff -q without with
	# The wrong keys are told as such, and none of them is shown.
	sed -i 's/se.cr+et/sesame/' keys
	rm state
	run -1 push s3://fleet/symbols
	[[ $output = *'HTTP status 403'*'keys right'* ]]
	[[ $output != *sesame* ]]
	# A token that has expired is not the fault of the files, which are sent later.
	sed 's/sesame/se\/cr+et/; s/= token/= expired/' keys >expired
	AWS_SHARED_CREDENTIALS_FILE=$PWD/expired run -1 push s3://fleet/symbols
	[[ $output = *'HTTP status 400'*'keys right'* ]]
	AWS_PROFILE=other run -1 push s3://fleet/symbols
	[[ $output = *'keys: it has no aws_access_key_id and aws_secret_access_key in [other]'* ]]
	AWS_SHARED_CREDENTIALS_FILE=none run -1 push s3://fleet/symbols
	[[ $output = *'none: No such file or directory'* ]]
	# From systemd.
	mkdir credentials
	sed 's/sesame/se\/cr+et/' keys >credentials/aws
	CREDENTIALS_DIRECTORY=$PWD/credentials run -0 push s3://fleet/symbols
}

@test "gdb and perf, with a stripped program, get its debug information from a plain server" {
	start_bucket
	push "$address/fleet" >push.out
	strip -o stripped "$tools/worker"
	DEBUGINFOD_URLS='' gdb -q -batch -nx -ex 'info line worker_main' stripped >without 2>&1 || true
	run ! grep worker.c without
	DEBUGINFOD_URLS=$address/fleet gdb -q -batch -nx -iex 'set debuginfod enabled on' \
		-ex 'info line worker_main' stripped >with 2>&1
	grep -E '^Line [0-9]+ of "tests/tools/worker.c" ' with
	rm -r .cache server/log
	perf newest report -i "$dir/data" --stdio --sort sym 2>/dev/null >without
	run ! grep worker_main without
	perf newest buildid-cache --debuginfod="$address/fleet" -a stripped
	perf newest report -i "$dir/data" --stdio --sort sym 2>/dev/null >with
	grep worker_main with
	grep -q "^ok GET /fleet/buildid/$id/debuginfo" server/log
}

@test "a server that fails gets each file once, whole" {
	start_bucket
	mkdir -p server
	echo 503 close lie cut 429 >server/plan
	start "$perfstamp" push --binaries --follow --timeout 2 --state state --buildid-dir "$dir/full" "$address/store" "$dir/data" 2>push.err
	await grep -q '^sent' state
	cmp "server/objects/store/buildid/$id/executable" "$tools/worker"
	[ "$(grep -c "^ok PUT .*/$id/executable" server/log)" -eq 1 ]
	grep -q 'tries again until it works' push.err
	[ ! -s server/plan ]
	# One that is too large for the server does not keep the others.
	rm -r server/objects
	echo 413 >server/plan
	rm -f state2
	run -0 "$perfstamp" push --binaries --state state2 --buildid-dir "$dir/full" "$address/store" "$dir/data"
	[[ $output = *'not sent: the receiver answers with HTTP status 413'*', 1 refused)'* ]]
	recording__end
	rm state
	run -1 push "http://127.0.0.1:1/store"
	[[ $output = *'the receiver cannot be reached'* ]]
}

@test "symbols alone stand for debug information until there is some" {
	cache=$dir/symbols data=$dir/data.symbols push "file://$PWD/served" --path '*/worker'
	[ "$(find "served/buildid/$id" -type f | sed 's/.*\///' | sort | xargs)" = 'debuginfo perfstamp-symbols-only' ]
	DEBUGINFOD_URLS=file://$PWD/served "$perfstamp" report --buildid-dir none -i "$dir/data.symbols" >shown
	grep -q work shown
	# Symbols do not replace what is there.
	rm state
	cache=$dir/symbols data=$dir/data.symbols run -0 push "file://$PWD/served" --path '*/worker'
	[[ $output = *'1 there already'* ]]
	# Its debug information does, and stays.
	objcopy --only-keep-debug "$tools/worker" worker.debug
	cp -r "$dir/full" full
	"$perfstamp" cache --buildid-dir full add worker.debug
	rm state
	cache=full push "file://$PWD/served" --path '*/worker'
	[ "$(find "served/buildid/$id" -type f | sed 's/.*\///' | sort | xargs)" = 'debuginfo executable' ]
	cmp "$(fetched debuginfo "file://$PWD/served")" worker.debug
	rm state
	cache=$dir/symbols data=$dir/data.symbols push "file://$PWD/served" --path '*/worker'
	cmp "served/buildid/$id/debuginfo" worker.debug
}

@test "what a push that was killed left unfinished is removed by the next one, and nothing else" {
	local unfinished=served/buildid/.perfstamp-push

	# It is killed when the file that it writes becomes larger than 8 KiB.
	run -153 bash -c 'ulimit -f 8; exec "$@"' - "$perfstamp" push --binaries --state "$PWD/state" \
		--buildid-dir "$dir/full" "file://$PWD/served" "$dir/data"
	[ "$(find $unfinished -type f | wc -l)" -eq 1 ]
	[ ! -e "served/buildid/$id/executable" ]
	# Another one, elsewhere, is writing.
	: >$unfinished/being-written
	start flock -o $unfinished/being-written sleep 1000
	await is_locked $unfinished/being-written
	echo theirs >"served/buildid/$id/executable.abc123"
	push "file://$PWD/served"
	cmp "served/buildid/$id/executable" "$tools/worker"
	[ "$(find served -name .perfstamp-push -exec ls {} \;)" = being-written ]
	[ "$(cat "served/buildid/$id/executable.abc123")" = theirs ]
	[ "$(stat -c %a $unfinished)" = 700 ]
}

is_locked() {
	! flock -n "$1" true
}

@test "what may not leave, what is damaged, and what a budget leaves" {
	run -0 push "file://$PWD/served" --path '/nowhere/*'
	[ "$output" = '1 file sent (0 binaries, 0 bytes)' ]
	[ ! -e served ]
	rm state
	# What has most samples is first.
	run -0 push "file://$PWD/served" --budget 1K
	[[ $output = *'1 file sent (1 binary, '*' over the budget)' ]]
	[ -e "served/buildid/$id/executable" ]
	rm state
	run -0 push "file://$PWD/served"
	[[ $output != *budget* ]]
	# It has the build-id, and not the content that was captured.
	cp -r "$dir/full" full
	elf=$(find full -path "*$id/elf")
	chmod u+w "$elf"
	printf x | dd of="$elf" bs=1 seek="$(($(stat -c %s "$elf") - 1))" conv=notrunc status=none
	rm -r state served
	cache=full run -0 push "file://$PWD/served" --path '*/worker'
	[[ $output = *"$id: not sent: "*'it is damaged'*'(0 binaries, 0 bytes, 1 damaged)' ]]
	[ ! -e "served/buildid/$id/executable" ]
	cache=none run -1 push "file://$PWD/served"
	[[ $output = *'none: No such file or directory'* ]]
}

@test "a recording that cannot be read does not keep the next one" {
	mkdir series
	echo nothing >series/data.2026010100000000
	cp "$dir/data" series/data.2026010100000001
	data=series run -1 push "file://$PWD/served"
	[[ $output = *'data.2026010100000000: not sent: '*'1 file sent'*', 1 not sent' ]]
	cmp "served/buildid/$id/executable" "$tools/worker"
}

@test "a binary at two paths is sent if one of them may leave" {
	mkdir a b
	cp "$tools/worker" a/worker
	ln a/worker b/worker
	await is_no_longer_young a/worker
	record -q -e cpu-clock --capture=full --buildid-dir store -o data -- sh -c 'a/worker 10; b/worker 10' >out
	data=data cache=store push "file://$PWD/served" --path '*/b/worker'
	cmp "served/buildid/$id/executable" "$tools/worker"
}

@test "a build-id that stands for two contents is not sent" {
	local shared=00112233445566778899aabbccddeeff00112233

	for n in 1 2; do
		gcc -Wl,--build-id=0x$shared -o "same-$n" -x c - <<<"char more[$((9000 * n))] = {1}; int main(void) { for (volatile int i = 0; i < 30000000; i++) { } return 0; }"
	done
	await is_no_longer_young same-2
	record -q -o data --capture=full --buildid-dir store -- sh -c './same-1; ./same-2'
	data=data cache=store run -0 push "file://$PWD/served" --path '*/same-*'
	[ "$output" = '1 file sent (0 binaries, 0 bytes, 1 of a shared build-id)' ]
	[ ! -e served ]
}

@test "what is wrong with the command line is said" {
	run -2 "$perfstamp" push --binaries postgresql:///x "$dir/data"
	[[ $output = *'not one that perfstamp sends binaries to: use file://'* ]]
	run -2 push "file://$PWD/served" --label a=b
	run -2 push "file://$PWD/served" --budget many
	run -2 "$perfstamp" push --path x "http://localhost" "$dir/data"
	[[ $output = *'--path and --budget require --binaries'* ]]
	run -1 push 'http://localhost/a%20b'
	[[ $output = *'the path in the URL may have'* ]]
	run -1 push 'http://me:sesame@localhost/'
	[[ $output != *sesame* ]]
	run -1 push file://served
	[[ $output = *'file:///DIR'* ]]
}
