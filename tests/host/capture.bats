#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What is copied into the store while it is mapped: the right content, once, within its
# budget; and what is missed is told.

# shellcheck disable=SC2154 # bats sets stderr
setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	. "$BATS_TEST_DIRNAME/../lib/recording.bash"
	export HOME=$BATS_TEST_TMPDIR/home
	mkdir "$HOME"
	# What is put there is synced, which takes long on a busy disk.
	mount -t tmpfs tmpfs "$HOME"
	store=$HOME/.debug
}

teardown() {
	recording__end
	umount --lazy "$HOME"
}

cache() {
	"$perfstamp" cache "$@"
}

id_of() {
	readelf -n "$1" 2>/dev/null | awk '/Build ID/ { print $3 }'
}

# The file that the store has of the build-id of FILE.
kept() {
	local id

	id=$(id_of "$1")
	echo "$store/.build-id/${id:0:2}/${id:2}/elf"
}

# program NAME: one that maps nothing but itself, and ends at once, or, with an argument, when
# its standard input does.
program() {
	cat >"$1.c" <<-END
		#include <unistd.h>
		const char bytes[1 << 18] = "$1";
		int $1_function(int n) { char c; return n > 1 ? (int)read(0, &c, 1) : bytes[n] == 'x'; }
		int main(int n, char **v) { (void)v; if (n > 1) (void)!write(1, "ready\n", 6); return $1_function(n) > 1; }
	END
	gcc -static -Wl,--build-id -o "$1" "$1.c"
	age "$1"
}

# age FILE...: what was written just now might have been written to after it was mapped.
age() {
	touch -d '1 hour ago' "$@"
}

# hold COMMAND...: runs it until standard input ends, which is not before the test does.
hold() {
	local out

	out=$(mktemp out.XXXXXX)
	[ -p hold ] || mkfifo hold
	exec 9<>hold
	start bash -c 'exec "$@" <hold 9<&-' sh "$@" >"$out"
	await grep -q ready "$out"
}

# capture PROGRAM OPTION...: records the program while it is there, which one that ends at once
# need not be any more when its file is read; what is told of it is in record.err.
capture() {
	hold "./$1" hold
	shift
	record -o data "$@" -p "$pid" -- true 2>record.err
}

# work [ARGUMENT...]: a worker whose file is ./work, and waits for SIGUSR1.
work() {
	cp "$tools/worker" work
	age work
	start ./work -w "$@" >work.out
	await grep -q ready work.out
	worker=$pid
}

# What the recorder told of captures: "CAPTURED HAD MISSED".
told() {
	sed -n 's/.*captured \([0-9]*\) DSOs* ([0-9.]* MB), \([0-9]*\) there already.* \([0-9]*\) missed.*/\1 \2 \3/p' "$1"
}

@test "what is deleted while it is mapped is kept whole, is what was mapped, and is found by perf" {
	local version
	work -t 1 300
	rm work
	start_recording -p "$worker" --capture=full 2>record.err
	kill -USR1 "$worker"
	end_by_itself
	[[ $(told record.err) =~ ^[1-9][0-9]*\ [0-9]+\ 0$ ]]
	cmp "$tools/worker" "$(kept "$tools/worker")"
	[ "$(stat -L -c %h "$(kept "$tools/worker")")" -eq 1 ]
	cache verify
	[ "$(cache list | wc -l)" -eq "$(told record.err | cut -d' ' -f1)" ]
	for version in "${perfs[@]}"; do
		[ "$(workers_of "$version" data)" = "worker_main worker_thread" ]
	done
	"$perfstamp" dump --header data >header
	grep -q 'capture: full' header
	grep -q "capture.files: $(told record.err | cut -d' ' -f1)" header
}

@test "symbols are enough for report and perf, by the same names, and take little room" {
	local version size
	work -t 1 300
	start_recording -p "$worker" --capture 2>record.err
	kill -USR1 "$worker"
	end_by_itself
	[[ $(told record.err) =~ ^[1-9][0-9]*\ [0-9]+\ 0$ ]]
	# From the file itself, and then from the store alone.
	"$perfstamp" report --buildid-dir none --sort dso,sym data >before
	rm work
	"$perfstamp" report --buildid-dir none --sort dso,sym data >without
	run ! grep -q worker_main without
	"$perfstamp" report --sort dso,sym data >after
	grep -q worker_main after
	diff before after
	for version in "${perfs[@]}"; do
		[ "$(workers_of "$version" data)" = "worker_main worker_thread" ]
	done
	cache verify
	# No byte of code.
	readelf -SW "$(kept "$tools/worker")" | grep -q ' \.text *NOBITS'
	program large
	capture large --capture
	[ "$(told record.err)" = "1 0 0" ]
	diff <(readelf -sW large) <(readelf -sW "$(kept large)")
	[ "$(stat -c %s large)" -eq "$(stat -L -c %s "$(kept large)")" ]
	size=$(($(stat -L -c %b "$(kept large)") * 512))
	echo "$size of $(stat -c %s large) bytes"
	[ $((size * 2)) -lt "$(stat -c %s large)" ]
	# All of it takes the place of its symbols, and stays when these are asked for.
	capture large --capture=full
	[ "$(told record.err)" = "1 0 0" ]
	cmp large "$(kept large)"
	capture large --capture
	[ "$(told record.err)" = "0 1 0" ]
	cmp large "$(kept large)"
}

# images N: each with a program of its own at /app.
images() {
	local i

	mkdir none
	for i in $(seq "$1"); do
		mkdir -p "image$i/hold"
		program "one$i"
		mv "one$i" "image$i/app"
	done
}

# containers N: of as many images as there are, by turns, each with a mount namespace and an
# overlay of its own; they are there until the test ends, and their pids are in the array of
# this name.
containers() {
	local i n

	n=$(printf '%s\n' image* | wc -l)
	cat >container <<-'END'
		exec <hold 9<&-
		mount -t overlay overlay -o "lowerdir=$1:none" "$2" && exec chroot "$2" /app hold
	END
	mkfifo hold
	exec 9<>hold
	containers=()
	for i in $(seq "$1"); do
		mkdir "root$i"
		start unshare --mount bash container "image$((i % n + 1))" "root$i" >>ready
		containers+=("$pid")
	done
	await has_lines ready "$1"
}

has_lines() {
	[ "$(wc -l <"$1")" -ge "$2" ]
}

@test "two hundred containers of ten images are ten contents, copied once each" {
	images 10
	containers 200
	record -o data --capture -p "$(IFS=, && echo "${containers[*]}")" -- true 2>record.err
	[ "$(told record.err)" = "10 0 0" ]
	# Each is another file to the kernel.
	"$perfstamp" list --json data | jq -c 'select(.path == "/app")' >listed
	[ "$(wc -l <listed)" -eq 10 ]
	[ "$(jq -s 'map(.processes) | add' listed)" -eq 200 ]
	[ "$(jq -s 'map(.mount_namespaces | length) | add' listed)" -eq 200 ]
	[ "$(cache list --json | jq -r .path | sort | uniq -c | awk '{ print $1, $2 }')" = "10 /app" ]
	cache verify
	record -o data --capture -p "$(IFS=, && echo "${containers[*]}")" -- true 2>record.err
	[ "$(told record.err)" = "0 10 0" ]
	exec 9>&-
	wait "${containers[@]}"
	started=()
}

@test "what the store has is not copied again, though perf has put it there" {
	program one
	perf newest buildid-cache --add one
	capture one --capture=full
	[ "$(told record.err)" = "0 1 0" ]
}

# Whether the recorder's process that copies is there; its pid is in $copier.
has_copier() {
	copier=$(pgrep -P "$1" -x perfstamp-copy)
}

@test "what is written to after it was mapped is not kept" {
	local recorder copier mapper id
	gcc -shared -fPIC -Wl,--build-id -o lib.so -x c - <<<'int f(void) { return 1; }'
	truncate -s 64K lib.so
	id=$(id_of lib.so)
	mkfifo go hold
	exec 9<>hold
	start bash -c 'read -r _ <go; exec "$@" <hold' sh "$tools/mapper" mmap:lib.so >mapper.out
	mapper=$pid
	start_recording -p "$mapper" --capture=full 2>record.err
	recorder=$pid
	await has_copier "$recorder"
	kill -STOP "$copier"
	echo >go
	await grep -q ready mapper.out
	# What was mapped was identified then.
	printf 'other' | dd of=lib.so bs=1 seek=50000 conv=notrunc status=none
	await has_record data '.type == "MMAP2" and (.path | endswith("/lib.so"))'
	# After seconds, of a slow machine, it has been given up, and another one went on.
	kill -CONT "$copier" 2>/dev/null || true
	pid=$recorder
	stop_recording INT
	[ "$status" -eq 0 ]
	"$perfstamp" list data | grep -q "^$id "
	run -1 cache find "$id"
	[ "$(told record.err | cut -d' ' -f3)" -ge 1 ]
	"$perfstamp" dump --header data | grep -q "capture.missed: [a-z]* $id $PWD/lib.so"
	# Mapped again long after that, it is kept.
	age lib.so
	record -o data --capture=full -- "$tools/mapper" mmap:lib.so 2>record.err >mapper.out \
		< <(await test -e "$(kept lib.so)")
	cmp lib.so "$(kept lib.so)"
	cache verify
}

@test "beyond its budget what was not seen for longest goes, and of that what was captured alone" {
	program one
	program two
	cache add "$tools/worker"
	capture one --capture=full --capture-max 1500K
	[ "$(told record.err)" = "1 0 0" ]
	find -L "$store/.build-id" -name elf -exec touch -d '1 hour ago' {} +
	touch -d '2 hours ago' "$(dirname "$(kept "$tools/worker")")"/*
	touch -d '1 hour ago' "$(dirname "$(kept one)")"/*
	capture two --capture=full --capture-max 1500K
	[ "$(told record.err)" = "1 0 0" ]
	grep -q ', 1 older ones removed, 0 missed' record.err
	cmp two "$(kept two)"
	[ ! -e "$(kept one)" ]
	cmp "$tools/worker" "$(kept "$tools/worker")"
	capture one --capture=full --capture-max 64K
	[ "$(told record.err)" = "0 0 1" ]
	grep -q '1 missed (1 larger than --capture-max)' record.err
	# Who looks for what is lacking learns of it.
	run -1 --separate-stderr cache --missing data --all
	grep "^$(id_of one) $PWD/one (.*; not captured: it was larger than --capture-max)$" <<<"$output"
	run -1 --separate-stderr cache --missing data --all --json
	[ "$(jq -r --arg id "$(id_of one)" 'select(.build_id == $id).capture_missed' <<<"$output")" = too-large ]
	cmp two "$(kept two)"
	run -2 "$perfstamp" record --capture-max 1M -- true
	run -2 "$perfstamp" record --capture=half -- true
}

# make_old FILE...: as if what the store has of them had not been used for two days.
make_old() {
	local file

	for file; do
		touch -d '2 days ago' "$(dirname "$(kept "$file")")"/*
	done
}

# is_new FILE: whether the store has it, and knows that it was seen of late.
is_new() {
	[ -n "$(find -L "$(kept "$1")" -amin -60)" ]
}

# is_captured_once_more FILE: removes it from the store, where it is there; whether it has come
# back.
is_captured_once_more() {
	[ -e "$(kept "$1")" ] || return 1
	[ -e was_there ] && return
	cache remove "$(id_of "$1")" && touch was_there
	return 1
}

@test "what was captured, and not seen for so long, goes, and what is seen again is new" {
	program one
	program two
	cache add "$tools/worker"
	capture one --capture=full
	[ "$(told record.err)" = "1 0 0" ]
	make_old one "$tools/worker"
	capture two --capture=full --capture-age=9d
	cat record.err
	[ "$(told record.err)" = "1 0 0" ]
	[ -e "$(kept one)" ]
	# To read it is to use it.
	make_old one two
	capture two --capture=full --capture-age=1d
	cat record.err
	grep -q 'captured 0 DSOs (0.0 MB), 1 there already, 1 older ones removed, 0 missed' record.err
	[ ! -e "$(kept one)" ]
	[ -e "$(kept "$tools/worker")" ]
	is_new two
	# What is mapped again and again was not seen at the begin alone, and is captured again.
	rm -r "$store"
	start_recording --capture=full --capture-age=4s -- bash -c 'until [ -e stop ]; do ./two; sleep 0.1; done'
	await is_captured_once_more two
	touch stop
	end_by_itself
	cache verify
	run -2 "$perfstamp" record --capture-age 1d -- true
	run -2 "$perfstamp" record --capture --capture-age soon -- true
}

@test "hostile names end in the store, and content without a build-id is kept by its cookie" {
	local name="a
b \$(touch x) ..;"
	program one
	strip --remove-section=.note.gnu.build-id one -o "$name"
	age "$name"
	record -o data --capture=full -- "./$name" 2>record.err
	[ "$(told record.err)" = "1 0 0" ]
	[ "$(cache list | grep -c '^cookie:')" -eq 1 ]
	cmp "$name" "$(find "$store/.perfstamp/cookie" -name elf)"
	cache verify
	# A path that is longer than what the store may put a file below.
	name=$(printf 'd%.0s' {1..200})/$(printf 'e%.0s' {1..200})
	mkdir -p "$name"
	cp --preserve=timestamps one "$name/one"
	record -o data --capture -- "./$name/one" 2>record.err
	[ "$(told record.err)" = "1 0 0" ]
	# One that is nobody's to read is not to be read in the store either.
	program two
	chmod 711 two
	capture two --capture=full
	[ "$(stat -L -c %a "$(kept two)")" = 600 ]
	[ ! -e x ]
}

@test "of a storm of short processes it is told what was caught, and what was not" {
	local i sums captured had missed
	program storm
	for i in $(seq 40); do
		{ cat storm && echo "$i"; } >"storm$i"
		# Another build-id, of the same size.
		objcopy --update-section .note.gnu.build-id=<(
			readelf -x .note.gnu.build-id storm >/dev/null
			printf '\4\0\0\0\24\0\0\0\3\0\0\0GNU\0%020d' "$i"
		) storm "storm$i"
		chmod +x "storm$i"
		age "storm$i"
	done
	# shellcheck disable=SC2016 # for the shell in the recording
	record -o data --capture -- bash -c 'for i in {1..40}; do ./storm$i; rm storm$i; done' 2>record.err
	read -r captured had missed <<<"$(told record.err)"
	echo "# of 40 that were deleted when they had ended: $(cache list | grep -c "/storm[0-9]* ") caught" >&3
	[ "$(cache list | wc -l)" -eq "$captured" ]
	# What was seen has an outcome.
	"$perfstamp" list --json data | jq -r 'select(.path | startswith("/")) | .build_id // .cookie // empty' | sort -u >ids
	[ $((captured + had + missed)) -ge "$(wc -l <ids)" ]
	sums=$("$perfstamp" dump --header data | sed -n 's/.*capture\.missed\.[a-z-]*: \([0-9]*\)"$/\1/p' | awk '{ n += $1 } END { print n + 0 }')
	[ "$sums" -eq "$missed" ]
	[ "$("$perfstamp" dump --header data | grep -c 'capture.missed: ')" -eq "$missed" ]
	cache verify
}

@test "watch keeps what it sees, too" {
	program one
	"$perfstamp" watch --capture=full --json -- ./one >lines 2>watch.err
	[ "$(told watch.err)" = "1 0 0" ]
	cmp one "$(kept one)"
	"$perfstamp" watch --capture=full --buildid-dir other -- ./one >lines 2>watch.err
	[ "$(told watch.err)" = "1 0 0" ]
	[ "$(cache --buildid-dir other list | wc -l)" -eq 1 ]
}

# Of the script ./deploy, which starts what uses ./one and ./two: both are captured while it lives.
both_are_captured() {
	# shellcheck disable=SC2016 # for that shell
	echo 'until [ -e stop ]; do sleep 0.1; done; kill $(jobs -p)' >>deploy
	start_recording --capture=full -- bash deploy 2>record.err
	await test -e "$(kept two)" -a -e "$(kept one)"
	touch stop
	end_by_itself
	cat record.err
	cmp one "$(kept one)"
	cmp two "$(kept two)"
	cache verify
}

# Both releases are started right after they were copied into place.
@test "what is deployed and run at once is captured while it lives" {
	local release
	program one
	program two
	mkfifo hold
	exec 9<>hold
	for release in one two; do
		# touch: as if it had been built and copied there just now, on any machine.
		cat >>deploy <<-END
			cp $release new && mv new server && touch server
			./server hold <hold 9<&- &
			until [ "\$(readlink /proc/\$!/exe)" = "\$PWD/server" ]; do :; done
		END
	done
	both_are_captured
}

# Whoever loads a library asks for its times first. From Linux 6.13 on, some file systems give
# every change after that a time of its own.
@test "a library that is deployed and loaded at once is captured, and so is the one it replaces" {
	local release
	if [ "$(uname -r | awk -F. '{ print ($1 > 6 || ($1 == 6 && $2 > 12)) }')" = 0 ] ||
		! stat -f -c %T . | grep -qE 'ext|xfs|btrfs|tmpfs'; then
		skip "file times of this machine do not show each change"
	fi
	echo 'int wait_for(void); int main(void) { return wait_for(); }' >main.c
	for release in one two; do
		gcc -shared -fPIC -Wl,--build-id -o "$release" -x c - <<-END
			#include <unistd.h>
			static const char release[] __attribute__((used)) = "$release";
			int wait_for(void) { char c; return read(0, &c, 1) > 0; }
		END
	done
	cp one libwait.so
	gcc -o uses main.c ./libwait.so
	mkfifo hold
	exec 9<>hold
	for release in one two; do
		cat >>deploy <<-END
			cp $release new && mv new libwait.so && touch libwait.so
			./uses <hold 9<&- &
			until grep -q libwait /proc/\$!/maps; do :; done
		END
	done
	both_are_captured
}

# deploy OPTION...: records two builds at ./server, one after the other, with samples of each.
deploy() {
	cp "$tools/swapped-1" server
	cp "$tools/swapped-2" next
	age server next
	record -o data "$@" -- sh -c './server 200 && mv next server && ./server 200' 2>record.err
	cat record.err
}

@test "a sampled build that was replaced is named in the end where nothing was captured" {
	deploy
	grep -qx 'perfstamp record: 1 sampled build was replaced while recording; --capture would have kept its symbols' record.err
	deploy --capture
	run ! grep replaced record.err
	# Two builds in two places are none.
	cp "$tools/swapped-1" one
	cp "$tools/swapped-2" two
	record -o data -- sh -c './one 200 && ./two 200' 2>record.err
	run ! grep replaced record.err
}
