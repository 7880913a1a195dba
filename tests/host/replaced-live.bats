#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# perfstamp replaced on this machine: kinds of replacement, and of what is none. Each test
# has a process of its own that maps a file below $dir; what happens to the file; and what
# must be said. Before anything happens, nothing must be.

# shellcheck disable=SC2154,SC2034 # pid and status are set by helpers
setup() {
	cd "$BATS_TEST_DIRNAME" || return
	# shellcheck source-path=SCRIPTDIR source=../lib/recording.bash
	. ../lib/recording.bash
	dir=$BATS_TEST_TMPDIR/files
	mkdir -p "$dir"
	cp /bin/sleep "$dir/a" # a build, and another one
	cp /bin/true "$dir/b"
	cp "$tools/libswapped-1.so" "$dir/la"
	cp "$tools/libswapped-2.so" "$dir/lb"
}

teardown() {
	recording__end
}

# Whether process $pid runs, or maps, PATH.
has_mapped() {
	grep -q "r-x.* $1" "/proc/$pid/maps"
}

# run_app PATH [COMMAND...]: it runs until the test ends, by the command.
run_app() {
	start "${@:2}" "$1" 600
	await has_mapped "[^ ]*/[^ /]*"
	await is_exe "$1"
}

is_exe() {
	[ "$(basename "$(readlink "/proc/$pid/exe")")" = "$(basename "$1")" ]
}

# map_lib WAY:PATH [COMMAND...]: mapper holds it until the test ends.
map_lib() {
	hold "${@:2}" "$tools/mapper" -n 0 "$1"
}

# hold COMMAND...: a mapper, whose standard input stays open.
hold() {
	mkfifo hold
	exec 9<>hold
	"$@" <hold >said 3>&- 9>&- &
	pid=$!
	started+=("$pid")
	await grep -q ready said
}

# What is said of the test's process: "KIND PATH" below $dir, sorted. What it runs in a mount
# namespace of its own has a path from the root of that, not from the chroot the tests may be in,
# and the path that it was started by is then another one.
said() {
	local own unique=()

	own=$(readlink "/proc/$pid/root")
	[ "$own" = / ] || unique=(-u)
	status=0
	"$perfstamp" replaced --json -p "$pid" --path "${1:-*/files/*}" >out || status=$?
	jq -r '.kind + " " + .path' out | sed "s|${own%/}$dir|DIR|; s|$dir|DIR|" | sort "${unique[@]}"
}

nothing() {
	[ "$(said "$@")" = "" ] || { cat out && return 1; }
	"$perfstamp" replaced -p "$pid" --path "${1:-*/files/*}"
}

# is KIND PATH [KIND PATH]...: just that, and status 1.
is() {
	local wanted

	wanted=$(printf '%s %s\n' "$@" | sort)
	diff <(said) - <<<"$wanted"
	run -1 "$perfstamp" replaced -p "$pid" --path '*/files/*'
}

@test "a program, renamed over by another build: replaced" {
	cp "$dir/a" "$dir/app"
	run_app "$dir/app"
	nothing
	cp "$dir/b" "$dir/new" && mv "$dir/new" "$dir/app"
	is replaced DIR/app
}

@test "a library, renamed over by another build: replaced" {
	cp "$dir/la" "$dir/lib"
	map_lib "dlopen:$dir/lib"
	nothing
	cp "$dir/lb" "$dir/new" && mv "$dir/new" "$dir/lib"
	is replaced DIR/lib
}

@test "unlinked, and written anew with another build: replaced" {
	cp "$dir/a" "$dir/app"
	run_app "$dir/app"
	rm "$dir/app" && cp "$dir/b" "$dir/app"
	is replaced DIR/app
}

@test "a program, unlinked: gone" {
	cp "$dir/a" "$dir/app"
	run_app "$dir/app"
	rm "$dir/app"
	is gone DIR/app
}

@test "a library, unlinked with its directory: gone" {
	mkdir "$dir/lib" && cp "$dir/la" "$dir/lib/x"
	map_lib "dlopen:$dir/lib/x"
	nothing
	rm -r "${dir:?}/lib"
	is gone DIR/lib/x
}

@test "a directory where the file was: gone" {
	cp "$dir/a" "$dir/app"
	run_app "$dir/app"
	rm "$dir/app" && mkdir "$dir/app"
	is gone DIR/app
}

@test "its name unlinked, another hard link left: gone" {
	cp "$dir/a" "$dir/app"
	run_app "$dir/app"
	ln "$dir/app" "$dir/other" && rm "$dir/app"
	is gone DIR/app
}

@test "renamed over by equal content: nothing" {
	cp "$dir/a" "$dir/app"
	run_app "$dir/app"
	cp "$dir/a" "$dir/new" && mv "$dir/new" "$dir/app"
	nothing
}

@test "unlinked, and written anew with equal content: nothing" {
	cp "$dir/la" "$dir/lib"
	map_lib "dlopen:$dir/lib"
	rm "$dir/lib" && cp "$dir/la" "$dir/lib"
	nothing
}

@test "renamed over by a hard link to itself: nothing" {
	cp "$dir/a" "$dir/app"
	run_app "$dir/app"
	ln "$dir/app" "$dir/other"
	rm "$dir/app" && ln "$dir/other" "$dir/app"
	nothing
}

@test "new times, mode and attributes: nothing" {
	cp "$dir/a" "$dir/app"
	run_app "$dir/app"
	touch "$dir/app" && chmod 700 "$dir/app"
	nothing
}

@test "moved, with its directory: nothing, since its path has moved, too" {
	mkdir "$dir/old" && cp "$dir/a" "$dir/old/app"
	run_app "$dir/old/app"
	mv "$dir/old" "$dir/new"
	nothing
}

@test "written in place, as prelink may: nothing, since the mapping shows it, too" {
	cp "$dir/la" "$dir/lib"
	map_lib "mmap:$dir/lib"
	cat "$dir/lb" >"$dir/lib"
	nothing
}

@test "a stripped copy over it, of the same code and build-id: nothing" {
	cp "$dir/la" "$dir/lib"
	map_lib "dlopen:$dir/lib"
	strip -o "$dir/new" "$dir/lib" && mv "$dir/new" "$dir/lib"
	if cmp -s "$dir/la" "$dir/lib"; then false; fi
	nothing
}

@test "one build-id, other code: replaced" {
	cp "$dir/la" "$dir/lib"
	map_lib "dlopen:$dir/lib"
	# The same note in both.
	objcopy --dump-section .note.gnu.build-id="$dir/note" "$dir/la"
	objcopy --update-section .note.gnu.build-id="$dir/note" "$dir/lb" "$dir/new"
	mv "$dir/new" "$dir/lib"
	is replaced DIR/lib
	[ "$(jq .same_build_id out)" = true ]
}

@test "a deploy that swaps a symbolic link: the name that it was started by is replaced" {
	mkdir "$dir/1" "$dir/2" && cp "$dir/a" "$dir/1/app" && cp "$dir/b" "$dir/2/app"
	ln -s 1 "$dir/current"
	run_app "$dir/current/app"
	nothing
	ln -s 2 "$dir/next" && mv -T "$dir/next" "$dir/current"
	is replaced DIR/current/app
}

@test "the same, of a program of 32 bits" {
	local build

	for build in 1 2; do
		mkdir "$dir/$build"
		gcc -m32 -Wl,--build-id -x c -o "$dir/$build/app" - \
			<<<"int pause(void); int main(void) { pause(); return $build; }"
	done
	ln -s 1 "$dir/current"
	run_app "$dir/current/app"
	nothing
	ln -s 2 "$dir/next" && mv -T "$dir/next" "$dir/current"
	is replaced DIR/current/app
}

@test "the same, and the old release is removed: both names are told" {
	mkdir "$dir/1" "$dir/2" && cp "$dir/a" "$dir/1/app" && cp "$dir/b" "$dir/2/app"
	ln -s 1 "$dir/current"
	run_app "$dir/current/app"
	ln -s 2 "$dir/next" && mv -T "$dir/next" "$dir/current"
	rm -r "${dir:?}/1"
	is replaced DIR/current/app gone DIR/1/app
}

@test "a swap to a release of equal content: nothing" {
	mkdir "$dir/1" "$dir/2" && cp "$dir/a" "$dir/1/app" && cp "$dir/a" "$dir/2/app"
	ln -s 1 "$dir/current"
	run_app "$dir/current/app"
	ln -s 2 "$dir/next" && mv -T "$dir/next" "$dir/current"
	nothing
}

# overlay COMMAND: a mapper in a mount namespace of its own, where $dir/root is an overlay
# whose lower layer has the library; then the command there.
overlay() {
	mkdir "$dir/tmp" "$dir/root"
	cat >"$dir/in" <<-END
		set -e
		mount -t tmpfs tmpfs "$dir/tmp"
		mkdir "$dir/tmp/lower" "$dir/tmp/upper" "$dir/tmp/work"
		cp "$dir/la" "$dir/tmp/lower/lib"
		mount -t overlay overlay -o "lowerdir=$dir/tmp/lower,upperdir=$dir/tmp/upper,workdir=$dir/tmp/work" "$dir/root"
		exec "$tools/mapper" -n 0 "dlopen:$dir/root/lib"
	END
	hold unshare -m bash "$dir/in"
	nothing
	nsenter -t "$pid" -m -r bash -c "cd $dir; $1"
}

@test "in an overlay, copied up by a new time: nothing" {
	overlay 'touch root/lib'
	nothing
}

@test "in an overlay, copied up and written: replaced" {
	overlay 'cat lb >root/lib'
	is replaced DIR/root/lib
}

@test "in an overlay, renamed over: replaced" {
	overlay 'cp lb root/new && mv root/new root/lib'
	is replaced DIR/root/lib
}

@test "in an overlay, whited out: gone" {
	overlay 'rm root/lib'
	is gone DIR/root/lib
}

@test "another build at the path, in another mount namespace: nothing" {
	mkdir "$dir/own" && cp "$dir/a" "$dir/own/app" && cp "$dir/a" "$dir/app"
	run_app "$dir/app" unshare -m bash -c "mount --bind $dir/own $dir && exec \"\$@\"" x
	nothing
	cp "$dir/b" "$dir/new" && mv "$dir/new" "$dir/app"
	nothing
	# And what happens there is told.
	cp "$dir/b" "$dir/own/new" && mv "$dir/own/new" "$dir/own/app"
	is replaced DIR/app
}

@test "another build mounted over it: replaced" {
	cp "$dir/a" "$dir/app"
	run_app "$dir/app" unshare -m
	nothing
	nsenter -t "$pid" -m -r mount --bind "$dir/b" "$dir/app"
	is replaced DIR/app
}

@test "in a chroot: its own file counts" {
	mkdir "$dir/root"
	gcc -static -O1 -x c -o "$dir/root/app" - <<<'#include <unistd.h>
		int main(void) { for (;;) pause(); }'
	start chroot "$dir/root" /app
	await is_exe /app
	nothing
	cp "$dir/b" "$dir/root/new" && mv "$dir/root/new" "$dir/root/app"
	is replaced DIR/root/app
}

@test "memory that has a name only: nothing" {
	map_lib "memfd:$dir/la"
	nothing '*'
}

@test "code of its own in a file without a name that is not ELF: nothing" {
	head -c 8192 /dev/zero >"$dir/jit"
	map_lib "unlinked:$dir/jit"
	nothing '*'
}

@test "who, how many, which unit, and since when" {
	cp "$dir/a" "$dir/app"
	run_app "$dir/app"
	cp "$dir/b" "$dir/new" && mv "$dir/new" "$dir/app"
	is replaced DIR/app
	[ "$(jq -r '.processes, .threads, .users[0].processes[0].pid' out | xargs)" = "1 1 $pid" ]
	[ "$(jq -r '.since_ns / 1e9 | floor' out)" = "$(stat -c %Z "$dir/app")" ]
	[ "$(jq -r .old_build_id out)" = "$(readelf -n "$dir/a" | sed -n 's/.*Build ID: //p')" ]
	[ "$(jq -r .build_id out)" = "$(readelf -n "$dir/b" | sed -n 's/.*Build ID: //p')" ]
}

@test "what to restart: each process once, and by people where no unit has it" {
	cp "$dir/a" "$dir/app"
	run_app "$dir/app"
	run -0 --separate-stderr "$perfstamp" replaced --restart -p "$pid"
	[ -z "$output" ]
	cp "$dir/b" "$dir/new" && mv "$dir/new" "$dir/app"
	run -1 --separate-stderr "$perfstamp" replaced --restart -p "$pid"
	[ "${lines[0]}" = "Left to you:" ]
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[1]} = "    "*": $pid app -> "* ]]
}

@test "who cannot examine all processes is told so, and monitoring by the status" {
	start sleep 600
	run -3 --separate-stderr setpriv --reuid 65534 --clear-groups --inh-caps=-all --bounding-set=-all \
		"$perfstamp" replaced -p "$pid"
	[ -z "$output" ]
	# shellcheck disable=SC2154 # of bats
	[[ $stderr == *"1 process could not be examined; run as root to include all"* ]]
}

@test "how many, as metrics" {
	local first

	cp "$dir/a" "$dir/app"
	run_app "$dir/app"
	first=$pid
	run_app "$dir/app"
	run -0 "$perfstamp" replaced --metrics -p "$first,$pid"
	grep -qx 'perfstamp_replaced_dsos{kind="replaced"} 0' <<<"$output"
	grep -qx 'perfstamp_replaced_processes 0' <<<"$output"
	cp "$dir/b" "$dir/new" && mv "$dir/new" "$dir/app"
	run -0 "$perfstamp" replaced --metrics -p "$first,$pid"
	grep -qx 'perfstamp_replaced_dsos{kind="replaced"} 1' <<<"$output"
	grep -qx 'perfstamp_replaced_dsos{kind="gone"} 0' <<<"$output"
	grep -qx 'perfstamp_replaced_processes 2' <<<"$output"
	grep -qx 'perfstamp_replaced_looked_processes 2' <<<"$output"
	[ "${lines[-1]}" = "# EOF" ]
}

@test "the package that owns the path, by dpkg's lists below the process's root" {
	gcc -static -O1 -x c -o "$dir/app" - <<<'#include <unistd.h>
		int main(void) { for (;;) pause(); }'
	mkdir -p "$dir/root/var/lib/dpkg/info" "$dir/root/usr/bin"
	printf '/.\n/usr\n/usr/bin\n/usr/bin/app-2\n' >"$dir/root/var/lib/dpkg/info/other.list"
	printf '/.\n/bin\n/bin/app\n' >"$dir/root/var/lib/dpkg/info/the-app:amd64.list"
	cp "$dir/app" "$dir/root/usr/bin/app"
	start chroot "$dir/root" /usr/bin/app
	await is_exe /usr/bin/app
	cp "$dir/b" "$dir/root/usr/bin/new" && mv "$dir/root/usr/bin/new" "$dir/root/usr/bin/app"
	is replaced DIR/root/usr/bin/app
	[ "$(jq -r .package out)" = the-app ]
}

@test "from a recording: what its end has, by the next map of the path" {
	local old

	cp "$dir/a" "$dir/app"
	cat >work <<-END
		"$dir/app" 600 3>&- &
		echo \$! >old
		until [ "\$(readlink /proc/\$!/exe)" = "$dir/app" ]; do sleep 0.05; done
		cp "$dir/b" "$dir/new" && mv "$dir/new" "$dir/app" && "$dir/app"
	END
	record -q -o data -- bash work >said 2>&1
	old=$(cat old)
	kill "$old"
	status=0
	"$perfstamp" replaced --json data >out || status=$?
	[ "$status" = 1 ]
	[ "$(jq -r --arg path "$dir/app" 'select(.path == $path) | .kind, .users[0].processes[0].pid' out |
		xargs)" = "replaced $old" ]
	run -0 "$perfstamp" replaced --path /nowhere data
	[ -z "$output" ]
}

@test "what is not there, and what goes not together" {
	run -3 "$perfstamp" replaced nowhere.data
	[[ $output == *nowhere.data* ]]
	run -3 "$perfstamp" replaced -p 4194303
	[[ $output == *"do not exist"* ]]
	run -2 "$perfstamp" replaced -p x
	run -2 "$perfstamp" replaced -p 1 data
	run -2 "$perfstamp" replaced --metrics --json
	run -2 "$perfstamp" replaced --metrics data
	run -2 "$perfstamp" replaced --yes
	run -2 "$perfstamp" replaced --restart data
	run -2 "$perfstamp" replaced --restart --json
	run -2 "$perfstamp" replaced --restart --yes -p 1
	[[ $output == *"--yes restarts whole units: it cannot be combined with -p"* ]]
}
