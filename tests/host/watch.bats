#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# watch, of processes of the test's own: each content is told once, when it is first mapped,
# in text, as JSON and to the journal. ROUNDS is how often a journal reads no more.
# shellcheck disable=SC2016,SC2154,SC2030,SC2031 # what shells of its own expand; and recording.bash

setup() {
	load ../lib/recording.bash
}

teardown() {
	# The service ends where its file is gone; it is the recorder's child, not ours.
	rm -f "${place:-/nonexistent}/serving"
	recording__end
	rm -rf "${place:-/nonexistent}"
}

build_id() {
	readelf -n "$1" | awk '/Build ID/ { print $3 }'
}

# As watch shows it in text.
short_id() {
	build_id "$1" | cut -c1-12
}

# The build-id and path of each content that a JSON file tells of, for paths of this test.
told() {
	jq -r --arg dir "$PWD/" 'select(.type == "dso" and (.path | startswith($dir))) |
		"\(.build_id) \(.path)"' "$1" | sort
}

# Two builds of one program, and a copy, in files of the test's own.
make_files() {
	cp "$tools/swapped-1" one
	cp "$tools/swapped-2" two
	cp one again
	for file in again one two; do
		echo "$(build_id $file) $PWD/$file"
	done | sort >expected
}

in_json() {
	make_files
	run -0 --separate-stderr "$perfstamp" watch --json "$@" -- \
		sh -c './one 1 && ./two 1 && ./again 1 && ./one 1'
	echo "$stderr"
	echo "$output" >json
	told json | diff expected -
	# What the kernel and we say of who it was agrees with what was run.
	jq -se --arg path "$PWD/two" '
		[.[] | select(.path == $path)] |
		length == 1 and .[0].comm == "two" and .[0].pid > 0 and
		.[0].kind == "build-id" and .[0].realtime_ns > 1.7e18' json
}

@test "each file that is mapped is told once, with its build-id" {
	in_json
}

@test "without BPF, too" {
	in_json --rung MMAP2
}

@test "a process that is there, and its children: what comes is told, and on request what was" {
	local shell
	make_files
	mkfifo go
	start sh -c 'read -r line <go; ./two 1; exec sleep 1000'
	shell=$pid
	start "$perfstamp" watch -p "$shell" --existing >text 2>said
	await grep -q 'existing mappings of' said
	await grep -q " dso  .* in $shell (" text
	run ! grep -F "$PWD/two" text
	echo >go
	await grep -qF "$PWD/two $(short_id two) in " text
	kill -INT "$pid"
	end_by_itself
	grep -q '^\[ perfstamp watch: .* lines*, 0 suppressed' said
}

@test "what is too much a second is left out, counted by kind and told" {
	local i
	for i in {1..40}; do
		cp /bin/true "file$i"
	done
	run -0 --separate-stderr "$perfstamp" watch --json --rate 1 --event dso --path "$PWD/*" -- \
		sh -c 'for file in file*; do ./$file; done'
	echo "$output" >json
	jq -se '
		([.[] | select(.type == "dso")] | length) as $shown |
		([.[] | select(.type == "left-out") | .dso] | add) as $left_out |
		$shown + $left_out == 40 and $left_out > 0' json
	[[ $stderr == *" suppressed, 0 events lost ]" ]]
}

@test "one build-id for two contents is told" {
	cp "$tools/swapped-1" one
	{ cat one && echo more; } >other
	chmod +x other
	run -0 --separate-stderr "$perfstamp" watch --event clash --path "$PWD/*" -- \
		sh -c './one 1; ./other 1; ./one 1'
	[[ $output == *" WARNING  $PWD/other has the build-id of another content: $(short_id one) (content 2) in "* ]]
	[ "${#lines[@]}" -eq 1 ]
}

@test "what is replaced while a process maps it is told when the new one is mapped" {
	cp "$tools/swapped-1" one
	# The old one lives until it was reported: no alarm is raised about what has ended.
	"$perfstamp" watch --json --event replaced --path "$PWD/*" >json -- \
		sh -c './one 600000 & old=$!
			until [ "$(readlink /proc/$old/exe)" = "$PWD/one" ]; do sleep 0.1; done
			cp "$0" next; mv next one; ./one 1
			until [ -s json ]; do sleep 0.1; done; kill $old' "$tools/swapped-2"
	jq -se --arg path "$PWD/one" --arg old "$(build_id "$tools/swapped-1")" \
		--arg now "$(build_id "$tools/swapped-2")" '
		length == 1 and .[0].path == $path and .[0].build_id == $old and
		.[0].now == "content" and .[0].now_build_id == $now and .[0].processes == 1 and
		.[0].comm == "one"' json
}

@test "a file that is replaced right after it was started is reported" {
	cp "$tools/swapped-1" one
	cp "$tools/swapped-2" next
	# Long before the end of the round in which watch hears of the path; nobody maps the new one.
	"$perfstamp" watch --json --event replaced --path "$PWD/*" >json -- \
		sh -c './one 600000 & old=$!
			until [ "$(readlink /proc/$old/exe)" = "$PWD/one" ]; do :; done
			mv next one
			for i in $(seq 300); do [ ! -s json ] || break; sleep 0.1; done; kill $old'
	jq -se --arg path "$PWD/one" --arg now "$(build_id one)" '
		length == 1 and .[0].path == $path and .[0].now_build_id == $now and .[0].processes == 1' json
}

@test "lines are colored on a terminal only, and NO_COLOR is followed" {
	cp "$tools/swapped-1" one
	{ cat one && echo more; } >other
	chmod +x other
	local run=("$perfstamp" watch -q --event clash --path "$PWD/*" -- sh -c './one 1; ./other 1')
	script -qec "env TERM=xterm ${run[*]@Q}" colored >/dev/null
	grep -qF $'\e[1;31mWARNING \e[0m '"$PWD/other" colored
	script -qec "env TERM=xterm NO_COLOR=1 ${run[*]@Q}" plain >/dev/null
	grep -qF " WARNING  $PWD/other" plain
	run ! grep -q $'\e' plain
	TERM=xterm "${run[@]}" >file
	grep -qF " WARNING  $PWD/other" file
}

@test "a clean deploy raises no alarm, and one that leaves a process behind does" {
	local i old watcher n=${DEPLOYS:-20}
	start "$perfstamp" watch -p "$BASHPID" --event dso,replaced --path "$PWD/server*" >text 2>said
	watcher=$pid
	await grep -q 'existing mappings of' said
	for ((i = 0; i < n; i++)); do
		cp "$tools/swapped-1" "server.$i"
		cp "$tools/swapped-2" next
		"./server.$i" 600000 3>&- &
		old=$!
		# From then on its path is watched.
		await grep -qF "$PWD/server.$i " text
		kill "$old"
		wait "$old" || true
		if ((i % 2)); then mv next "server.$i"; else rm "server.$i"; fi
	done
	# Changes are reported in their order: what is false would stand before this one.
	cp "$tools/swapped-1" server
	start ./server 600000
	old=$pid
	await grep -qF "$PWD/server " text
	cp "$tools/swapped-2" next
	mv next server
	await grep -q " WARNING  $PWD/server " text
	pid=$watcher
	stop_recording INT
	cat text
	[ "$(grep -c ' WARNING ' text)" -eq 1 ]
	grep -q "still in 1 process: $old (server)" text
}

# run_file FILE: starts it, for long, and waits until it maps the file; in $pid.
run_file() {
	start "./$1" 600000
	await maps "$1"
}

maps() {
	grep -qF " $PWD/$1" "/proc/$pid/maps"
}

@test "what is replaced is told before anybody maps it, and equal content is not" {
	local file pids=()
	for file in equal moved gone marker; do
		cp "$tools/swapped-1" "$file"
		run_file "$file"
		pids+=("$pid")
	done
	start "$perfstamp" watch -p "$(IFS=, && echo "${pids[*]}")" --event replaced --path "$PWD/*" >text 2>said
	await grep -q 'existing mappings of' said
	cp equal copy
	mv copy equal
	ln equal link
	rm link
	cp "$tools/swapped-2" copy
	mv copy moved
	rm gone
	# Changes are told in their order: what is to be told was told before this one.
	cp "$tools/swapped-2" copy
	mv copy marker
	await grep -qF " WARNING  $PWD/marker " text
	kill -INT "$pid"
	end_by_itself
	cat text
	[ "$(grep -cF "$PWD/" text)" -eq 3 ]
	grep -qF " $PWD/moved $(short_id "$tools/swapped-1") is replaced by $(short_id moved), and still in 1 process: ${pids[1]} (moved)" text
	grep -qF " $PWD/gone $(short_id "$tools/swapped-1") is gone, and still in 1 process: ${pids[2]} (gone)" text
}

@test "a path is watched where it is, after its directory or one above was moved" {
	local driver file

	mkdir -p near far/below
	mkfifo commands
	start bash -c 'trap "kill \$(jobs -p)" EXIT; while read -r program; do "$program" 600000 & done <>commands'
	driver=$pid
	start "$perfstamp" watch -p "$driver" --event dso,replaced >text 2>said
	await grep -q 'existing mappings of' said
	for file in near/one far/below/one; do
		cp "$tools/swapped-1" "$file"
		await is_no_longer_young "$file"
		echo "$PWD/$file" >commands
		await grep -qF " $PWD/$file $(short_id "$tools/swapped-1") in " text
		mv "${file%%/*}" "${file%%/*}.old"
		mkdir -p "${file%/*}"
		cp "$tools/swapped-2" "$file"
		await is_no_longer_young "$file"
		echo "$PWD/$file" >commands
		await grep -qF " $PWD/$file $(short_id "$tools/swapped-1") is replaced by $(short_id "$tools/swapped-2")" text
		# Nobody maps this one.
		cp "$tools/release-1" copy
		mv copy "$file"
		await grep -qF " $PWD/$file $(short_id "$tools/swapped-2") is replaced by $(short_id "$tools/release-1")" text
	done
	kill "$driver"
}

@test "of what was replaced before, the old file is told to be deleted, then what comes" {
	cp "$tools/swapped-1" one
	run_file one
	rm one
	start "$perfstamp" watch -p "$pid" --event replaced --path "$PWD/*" >text 2>said
	await grep -q " WARNING  $PWD/one $(short_id "$tools/swapped-1") is deleted, and still in 1 process" text
	cp "$tools/swapped-2" next
	mv next one
	await grep -q " WARNING  $PWD/one $(short_id "$tools/swapped-1") is replaced by $(short_id one), " text
	kill -INT "$pid"
	end_by_itself
}

@test "names with control characters come out harmless" {
	local name=$'\e[2Jx\ny'
	cp "$tools/swapped-1" "$name"
	run -0 --separate-stderr "$perfstamp" watch --path "$PWD/*" -- "./$name" 1
	[[ $output == *" $PWD/\\x1b[2Jx\\ny $(short_id "$name") in "*" (\\x1b[2Jx\\ny)"* ]]
	[ "${#lines[@]}" -eq 1 ]
	run -0 --separate-stderr "$perfstamp" watch --json --path "$PWD/*" -- "./$name" 1
	[ "${#lines[@]}" -eq 1 ]
	[[ $output != *$'\e'* ]]
	jq -e --arg path "$PWD/$name" '.path == $path' <<<"$output"
}

@test "the journal gets entries with fields" {
	cp "$tools/swapped-1" one
	# A journal of the test's own, with nobody else's entries.
	start unshare -m bash -c '
		mount -t tmpfs none /run && mkdir -p /run/systemd/journal || exit
		socat -u UNIX-RECV:/run/systemd/journal/socket OPEN:entries,creat,append &
		receiver=$!
		until [ -S /run/systemd/journal/socket ]; do sleep 0.1; done
		"$0" watch --journal --path "$PWD/*" -- ./one 1
		status=$?
		until grep -qa PERFSTAMP_COMM entries; do sleep 0.1; done
		kill $receiver
		exit $status' "$perfstamp"
	end_by_itself
	tr '\0' '\n' <entries
	grep -qa "^MESSAGE=$PWD/one $(short_id one) in " entries
	grep -qa "^PRIORITY=6$" entries
	grep -qa "^PERFSTAMP_TYPE=dso$" entries
	grep -qa "^PERFSTAMP_PATH=$PWD/one$" entries
	grep -qa "^PERFSTAMP_BUILD_ID=$(build_id one)$" entries
}

silent_journal() {
	local i
	for i in {1..40}; do cp "$tools/swapped-1" "one-$i"; done
	mkfifo go
	# Of a namespace of its own: there ten entries may wait for who reads.
	start unshare -mn bash -c '
		mount -t tmpfs none /run && mkdir -p /run/systemd/journal || exit
		socat -u UNIX-RECV:/run/systemd/journal/socket OPEN:entries,creat,append &
		receiver=$!
		until [ -S /run/systemd/journal/socket ]; do sleep 0.1; done
		kill -STOP $receiver
		"$0" watch --journal --rate 0 --path "$PWD/one-*" -- bash -c "
			for file in one-*; do ./\$file 1; done >/dev/null; >all-run; read -r <go" &
		until [ -e all-run ]; do sleep 0.1; done
		echo >go
		# What it watched has ended, and it has not: most of its entries nobody has taken.
		sleep 1
		kill -0 $! && >waits
		kill -CONT $receiver
		wait $!
		status=$?
		until [ "$(grep -ac "^PERFSTAMP_PATH=" entries)" -eq 40 ]; do sleep 0.1; done
		kill $receiver
		exit $status' "$perfstamp"
	end_by_itself
	[ -e waits ]
	[ "$(grep -a "^PERFSTAMP_PATH=$PWD/one-" entries | sort -u | wc -l)" -eq 40 ]
	run ! grep -qa "^PERFSTAMP_TYPE=l" entries
}

@test "a journal that reads no more is waited for, and nothing is left out" {
	each_round silent_journal
}

@test "without a journal it says so, and does not begin" {
	run -1 unshare -m bash -c 'mount -t tmpfs none /run && exec "$0" watch --journal -- true' "$perfstamp"
	[[ $output == "perfstamp watch: cannot write to the journal: "* ]]
}

@test "a reader that goes away ends it, and what it ran" {
	cp "$tools/swapped-1" one
	start bash -c '"$0" watch --path "$PWD/*" -- sh -c "
			while i=\$((i + 1)); do cp one x\$i; ./x\$i 1; rm x\$i; done" 2>said |
		head -n 1' "$perfstamp" >text
	end_by_itself
	[ "$(wc -l <text)" -eq 1 ]
	grep -q "^perfstamp watch: the reader of the output has closed it$" said
}

@test "what a deploy changed is reported, by a user, and what its rollback did" {
	local service recorder missing turns
	local -a user=(setpriv --reuid 65534 --regid 65534 --clear-groups)

	# Where a user gets to.
	place=$(mktemp -d /tmp/perfstamp-watch.XXXXXX)
	chmod 777 "$place"
	cd "$place" || return
	service="$place/the service"
	# Nor may a user read this tree, which may be closed to others.
	cp "$tools"/release-{1,2} "$tools/librelease.so" .
	"${user[@]}" "$perfstamp" cache add --buildid-dir cache release-{1,2} librelease.so >/dev/null
	cp release-1 "$service"
	cat >serve <<-EOF
		echo \$\$ >serving
		while [ -e serving ]; do
			"$service" 200 \$RANDOM >/dev/null
			echo \$((++turns)) >turns
		done
	EOF
	start "${user[@]}" "$perfstamp" record -q -e cpu-clock:u -F 2000 --switch-output=1s -o data \
		-- bash serve
	recorder=$pid
	await test -s serving
	start "${user[@]}" "$perfstamp" watch -p "$(cat serving)" --json --event replaced \
		--path "$place/the*" --buildid-dir cache --diff data --diff-after 2s >json 2>said
	start "${user[@]}" "$perfstamp" watch -p "$(cat serving)" --event replaced --path "$place/the*" \
		--diff missing --diff-after 1s >text 2>said.missing
	missing=$pid
	await grep -q 'existing mappings of' said
	await grep -q 'existing mappings of' said.missing
	# What began before they did is none of theirs.
	turns=$(cat turns 2>/dev/null || echo 0)
	await has_turned $((turns + 2))
	cp "$tools/release-2" new
	mv new "$service"
	await grep -q '"type":"compared"' json
	await grep -q ' compared ' text
	cp "$tools/release-1" new
	mv new "$service"
	await has_compared 2
	kill -INT "$missing"
	rm serving
	pid=$recorder
	end_by_itself
	cat json text
	jq -se --arg one "$(build_id "$tools/release-1")" --arg two "$(build_id "$tools/release-2")" \
		--arg path "$service" '
		[.[] | select(.type == "compared")] | length == 2 and
		all(.[]; .path == $path and .file == "data" and .samples_before > 100 and
			.samples_after > 100 and .marked > 0 and .functions > 3) and
		.[0].build_before == $one and .[0].build_after == $two and
		.[1].build_before == $two and .[1].build_after == $one and
		(.[0].changes | contains("old_name -")) and
		(.[1].changes | contains("old_name +"))' json
	grep -qF " compared $service was replaced, and not compared: missing: neither this file nor a series" text
}

@test "a comparison that cannot be started is reported, and the next one is made" {
	local loop turns

	cp "$tools/swapped-1" one
	cat >serve <<-'EOF'
		echo $$ >serving
		while [ -e serving ]; do
			./one 1 >/dev/null
			echo $((++turns)) >turns
		done
	EOF
	start bash serve
	loop=$pid
	await test -s serving
	start "$perfstamp" watch -p "$loop" --event replaced --path "$PWD/one" --diff missing \
		--diff-after 1s >text 2>said
	await grep -q 'existing mappings of' said
	turns=$(cat turns 2>/dev/null || echo 0)
	await has_turned $((turns + 2))
	# It can have no further file descriptor.
	prlimit --pid "$pid" --nofile=3:
	cp "$tools/swapped-2" new
	mv new one
	await grep -q ' compared ' text
	grep -q "one was replaced, and not compared: perfstamp diff cannot be started: Too many open files" text
	prlimit --pid "$pid" --nofile=1024:
	cp "$tools/swapped-1" new
	mv new one
	await grep -q "one was replaced, and not compared: missing: neither this file nor a series" text
	rm serving
	end_by_itself
}

has_compared() {
	[ "$(grep -c '"type":"compared"' json)" -eq "$1" ]
}

has_turned() {
	[ "$(cat turns 2>/dev/null || echo 0)" -ge "$1" ]
}

@test "what cannot be asked for is refused" {
	run -2 "$perfstamp" watch --diff-after 1m
	[[ $output == *"--diff-after requires --diff"* ]]
	run -2 "$perfstamp" watch --diff data --diff-after 1
	[[ $output == *"--diff-after requires a time such as 90s"* ]]
	run -2 "$perfstamp" watch --event dso,nothing
	[[ $output == *"--event requires dso, clash, replaced or module"* ]]
	run -2 "$perfstamp" watch -a -p 1
	run -2 "$perfstamp" watch -G system.slice
	[[ $output == *"-G requires a path"* ]]
	run -2 "$perfstamp" watch -G / -- true
	run -2 "$perfstamp" watch --json --journal
	run -2 "$perfstamp" watch --rate -1
	run -1 "$perfstamp" watch -q --rung MMAP2 -G /
	[[ $output == "perfstamp watch: -G, --unit and --container require BPF"* ]]
	run -1 "$perfstamp" watch -q -p 4194305
	run -1 "$perfstamp" watch -q -- /none
}
