#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Tests of what the other guest tests stand on: scripts/guest and scripts/perf. A boot
# takes some seconds, so each checks several things.
# shellcheck disable=SC2016 # what a guest's shell is to expand
# shellcheck disable=SC2030,SC2031 # every test is a subshell, and meant to be

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# Outside of the tests' times, and with its progress shown.
	scripts/guest --fetch 2>&3
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	bats_require_minimum_version 1.5.0
}

# What a guest with any kernel must have. The kernel's version begins with $1.
in_every_guest() {
	case $(uname -r) in
	"$1"*) ;;
	*) echo "kernel $(uname -r), not $1" && return 1 ;;
	esac
	[ "$(id -u)" = 0 ] &&
		[ -s /sys/kernel/btf/vmlinux ] &&
		[ -d /sys/kernel/security ] && [ -n "$(ls /sys/kernel/security)" ] &&
		[ -e /sys/kernel/tracing/events/sched ] &&
		[ -d /sys/kernel/debug/tracing ] &&
		[ -e /sys/fs/cgroup/cgroup.procs ] &&
		grep -q ' /sys/fs/bpf bpf ' /proc/mounts &&
		grep -q ' /tmp tmpfs ' /proc/mounts &&
		ip -o address show lo | grep -q 127.0.0.1 &&
		[ "$PWD" = "$2" ] && [ -x scripts/guest ] && [ ! -e .git ] &&
		touch scripts/written && [ -w / ] &&
		modprobe dummy && [ -d /sys/module/dummy ] &&
		echo 'int main(void) { return 0; }' >/tmp/a.c && gcc -o /tmp/a /tmp/a.c && /tmp/a &&
		echo "all there"
}

every_guest() {
	run --separate-stderr scripts/guest "$1" -- \
		bash -c "$(declare -f in_every_guest); in_every_guest '$2' '$PWD' || { echo \"at \$BASH_COMMAND\"; exit 1; }"
	echo "$output" "$stderr"
	[ "$status" -eq 0 ]
	[ "$output" = "all there" ]
	[ -z "$stderr" ]
	[ ! -e scripts/written ]
}

@test "guest 5.10 is complete" { every_guest 5.10 5.10.; }
@test "guest 6.1 is complete" { every_guest 6.1 6.1.; }
@test "guest 6.12 is complete" { every_guest 6.12 6.12.; }

@test "guest newest is complete" {
	every_guest newest "$(scripts/guest --list | sed -n 's/^newest\t\([0-9]*\.[0-9]*\.\).*/\1/p')"
}

@test "output, its two streams, /out and the exit status come back, also from a subdirectory" {
	cd tests
	run --separate-stderr ../scripts/guest --out "$BATS_TEST_TMPDIR/a b" 6.1 -- sh -c '
		echo "$PWD"; printf "%s|" "$@"; echo; echo "to stderr" >&2; echo again >/dev/stderr
		mkdir -p /out/dir; echo content >/out/dir/file; seq 200000 >/out/dir/long
		sleep 1000 & exit 42' - 'a  b' "it's" '$HOME' ''
	echo "$output" "$stderr"
	[ "$status" -eq 42 ]
	[ "${lines[0]}" = "$PWD" ]
	[ "${lines[1]}" = 'a  b|it'"'"'s|$HOME||' ]
	[ "$stderr" = $'to stderr\nagain' ]
	[ "$(cat "$BATS_TEST_TMPDIR/a b/dir/file")" = content ]
	seq 200000 | cmp - "$BATS_TEST_TMPDIR/a b/dir/long"
	[ ! -e "$BATS_TEST_TMPDIR/a b/lost+found" ]
}

@test "a command that cannot be found gives 127" {
	run -127 --separate-stderr scripts/guest 6.1 -- /no/such/command
	[[ $stderr == *"/no/such/command"* ]]
}

@test "a command that a signal ends gives 128 and its number; all its output comes before" {
	run scripts/guest 6.1 -- sh -c 'seq 100000; kill -TERM $$'
	[ "$status" -eq 143 ]
	[ "${lines[99999]}" = 100000 ]
}

@test "a guest that panics gives 125, the reason, and what it had written to /out" {
	run --separate-stderr scripts/guest --out "$BATS_TEST_TMPDIR" 6.12 -- \
		sh -c 'echo before >/out/file; sync; echo c >/proc/sysrq-trigger'
	echo "$stderr"
	[ "$status" -eq 125 ]
	[[ $stderr == *"the guest panicked: Kernel panic"* ]]
	[ "$(cat "$BATS_TEST_TMPDIR/file")" = before ]
}

@test "a guest that does not finish gives 125 at its time limit" {
	run --separate-stderr timeout 900 scripts/guest --timeout 10 newest -- sleep 100000
	[ "$status" -eq 125 ]
	[[ $stderr == *"did not finish within 10 s"* ]]
}

@test "guests run side by side" {
	local pids=() pid
	for n in 1 2; do
		scripts/guest 6.1 -- sh -c "echo $n >/out/n; cat /out/n" >"$BATS_TEST_TMPDIR/$n" 3>&- &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do wait "$pid"; done
	[ "$(cat "$BATS_TEST_TMPDIR"/[12])" = $'1\n2' ]
}

@test "a wrong call gives 2 and says what is wrong" {
	run -2 scripts/guest 4.19 -- true
	[[ $output == *"4.19: no such kernel"* ]]
	run -2 scripts/guest 6.1 true
	run -2 scripts/guest --timeout soon 6.1 -- true
	run -2 scripts/guest 6.1 --
	run -2 scripts/perf 5.10 --version
}

# Prints one line for each stock perf that records and reads a file without a complaint.
use_perfs() {
	local dir=$1 version
	for version in 6.1 6.12 newest; do
		scripts/perf "$version" record -q -N -e cpu-clock -F 500 -m 4M -o "$dir/$version" -- \
			sh -c 'i=0; while [ $i -lt 9999 ]; do i=$((i+1)); done' &&
			scripts/perf "$version" report -i "$dir/$version" --stdio >"$dir/report" 2>"$dir/complaint" &&
			grep -q 'sh ' "$dir/report" && [ ! -s "$dir/complaint" ] &&
			scripts/perf "$version" --version
		cat "$dir/complaint" >&2
	done
}

the_three_perfs() {
	echo "$output" "${stderr-}"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 3 ]
	[[ ${lines[0]} == "perf version 6.1."* ]]
	[[ ${lines[1]} == "perf version 6.12."* ]]
	[[ ${lines[2]} == "perf version "[7-9].* ]]
}

@test "the stock perfs record and report on this machine" {
	run --separate-stderr use_perfs "$BATS_TEST_TMPDIR"
	the_three_perfs
	[ "$(scripts/perf --list | cut -f1 | xargs)" = "6.1 6.12 newest" ]
}

@test "the stock perfs' other judgements are free of complaints" {
	local file=$BATS_TEST_TMPDIR/data version verb
	for version in 6.1 6.12 newest; do
		scripts/perf "$version" record -q -N -e cpu-clock -o "$file" -- ls >/dev/null
		for verb in "inject -b -i $file -o $file.b" "buildid-list -i $file.b" "script -i $file.b" \
			"evlist -i $file" "report --header-only -i $file" "diff $file $file.b" \
			"--buildid-dir $BATS_TEST_TMPDIR/cache buildid-cache --add $(command -v bash)"; do
			# shellcheck disable=SC2086 # words of a command
			run -0 --separate-stderr scripts/perf "$version" $verb
			echo "$version $verb: $stderr"
			[ -z "$stderr" ]
		done
	done
}

@test "the stock perfs record and report in a guest" {
	run --separate-stderr scripts/guest newest -- bash -c "$(declare -f use_perfs); use_perfs /tmp"
	the_three_perfs
}
