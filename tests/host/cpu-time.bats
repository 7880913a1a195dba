#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The CPU time that a recording says was used is what the kernel told those who used it, and
# check reports samples that are not in proportion to it.
# shellcheck disable=SC2016 # for the shell that is recorded
# shellcheck disable=SC2154,SC2030,SC2031 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

teardown() {
	recording__end
}

cpu_time() {
	"$perfstamp" check --json "${2:-data}" | jq -r ".cpu_time | $1"
}

# Milliseconds that NAME used by FILE.
used_ms() {
	cpu_time "([.names[] | select(.name == \"$1\") | .used_ns] | add // 0) / 1000000 | floor" "${2:-data}"
}

# Whether A is B, in ms, to a twentieth and two ticks of the slowest clock.
is_about() {
	echo "$1 ms, and not $2"
	awk -v a="$1" -v b="$2" 'BEGIN { d = a < b ? b - a : a - b; exit !(d <= b / 20 + 20) }'
}

# Milliseconds of all four times that `times' of bash prints.
sum_of_times() {
	tr ' ' '\n' | awk -F '[ms]' '{ sum += $1 * 60000 + $2 * 1000 } END { printf "%d\n", sum }'
}

@test "threads and a child: the time is what the kernel told their parent" {
	record -F 999 -o data -- bash -c '"$1" -t 3 -c 200; times >times.out' - "$tools/worker"
	is_about "$(("$(used_ms bash)" + "$(used_ms worker)"))" "$(sum_of_times <times.out)"
	[ "$(cpu_time '.recorded, .compared, .event, .compares' | xargs)" = 'true true cpu-clock time' ]
	"$perfstamp" check data >check.out
	grep '^samples of cpu-clock cover [0-9.]* % of the CPU time used' check.out
	grep '^  worker  *[0-9.]* s ' check.out
	run -1 grep '^note: process names' check.out
}

@test "a thread executes a program: the whole time has its name" {
	record -F 999 -o data -- bash -c '"$1" exec "$2" 100 >/dev/null; times >times.out' - \
		"$tools/tree" "$tools/worker"
	[ "$(used_ms tree)" -eq 0 ]
	is_about "$(("$(used_ms bash)" + "$(used_ms worker)"))" "$(sum_of_times <times.out)"
	"$perfstamp" check data | run -1 grep '^note: process names'
}

@test "2,000 processes of less than a period each: none is missed" {
	local processes

	record -F 999 -o data -- bash -c '
		for ((i = 0; i < 2000; i++)); do /bin/true; done
		times >times.out'
	is_about "$(("$(used_ms bash)" + "$(used_ms true)"))" "$(sum_of_times <times.out)"
	processes=$(cpu_time '.names[] | select(.name == "true") | .processes')
	echo "$processes processes"
	[ "$processes" -eq 2000 ]
	# Events of tasks miss nearly all of them, those of CPUs do not: either way check knows.
	[ "$(cpu_time '.names[] | select(.name == "true") | .periods * 2 > .used_ns or .far')" = true ]
}

@test "what a process used before it was recorded does not count, nor what it does later" {
	local before after

	start_worker 60000
	await has_used "${ids[0]}" 300
	before=$(schedstat_ms "${ids[0]}")
	record -F 999 -o data -p "${ids[0]}" -- "${a_while[@]}"
	after=$(schedstat_ms "${ids[0]}")
	echo "$before to $after"
	[ "$(used_ms worker)" -le $((after - before + 20)) ]
	[ "$(used_ms worker)" -gt 0 ]
	[ "$(cpu_time '[.names[].name] | join(" ")')" = worker ]
}

schedstat_ms() {
	awk '{ printf "%d\n", $1 / 1000000 }' "/proc/$1/schedstat"
}

has_used() {
	[ "$(schedstat_ms "$1")" -ge "$2" ]
}

@test "each file of a series has the time of its own" {
	local file sum=0

	record -F 999 --switch-output=1s -o data -- "$tools/worker" 2500 >worker
	for file in data.2*; do
		[ "$(cpu_time .compared "$file")" = true ]
		sum=$((sum + $(used_ms worker "$file")))
	done
	[ "$(find . -name 'data.2*' | wc -l)" -gt 2 ]
	is_about "$sum" "$(sed -n 's/^used //p' worker)"
	# No file has it all.
	[ "$(used_ms worker "$file")" -lt "$sum" ]
}

@test "a name without its samples is reported, and a terminal is safe from it" {
	record -F 999 -o data -- bash -c '
		"$1" 500 >/dev/null
		printf "a\t\033[1m b" >/proc/$$/comm
		for ((i = 0; i < 400000; i++)); do :; done' - "$tools/worker"
	"$perfstamp" check data
	[ "$(cpu_time '.names[] | select(.name | startswith("a")) | .name')" = 'a\t\x1b[1m b' ]
	[ "$(cpu_time '.names[] | select(.name | startswith("a")) | .samples')" -gt 10 ]
	"$perfstamp" check data | run -1 grep '^note: process names'
	# So time and samples of it are of two names.
	LC_ALL=C sed -i 's/^\(cpu-time=[0-9]* [0-9]* \)a/\1z/' data
	run -0 "$perfstamp" check data
	[[ $output = *'  z\t\x1b[1m b '*'  fewer: '* ]]
	[[ $output = *'  a\t\x1b[1m b '*'  more'* ]]
	[[ $output = *'note: process names with far fewer or far more samples than CPU time: 2'* ]]
	[ "$(cpu_time '.names[] | select(.far) | .name[:1], .verdict' | xargs)" = 'z fewer a more' ]
}

@test "without a rung of BPF the tree's time is known all the same" {
	record -F 999 --rung MMAP2 -o data -- bash -c '"$1" -c 300; times >times.out' - "$tools/worker"
	is_about "$(("$(used_ms bash)" + "$(used_ms worker)"))" "$(sum_of_times <times.out)"
}

@test "what cannot be compared is not, and check says why" {
	local why

	not_compared() {
		why=$1
		shift
		record -F 999 -o data "$@" >/dev/null
		"$perfstamp" check data >check.out
		grep -F -x "CPU time used: $why" check.out
	}
	start_worker 60000
	not_compared 'not recorded: only single threads are recorded' -t "${ids[0]}" -- "$tools/worker" 10
	not_compared 'not recorded: children are not recorded' -i -- "$tools/worker" 10
	not_compared 'not recorded: only some CPUs are recorded' -C 0 -p "${ids[0]}" -- "$tools/worker" 10
	"$perfstamp" record -e page-faults -c 1 -o data -- "$tools/worker" 10
	"$perfstamp" check data >check.out
	grep '^CPU time used: [0-9.]* s, not compared with samples: no event counts time or cycles$' check.out
	"$perfstamp" record -e cpu-clock:u -o data -- "$tools/worker" 10
	"$perfstamp" check data >check.out
	grep '^CPU time used: [0-9.]* s, not compared with samples: the event excludes user space or the kernel$' check.out
	perf newest record -q -e cpu-clock -o data -- "$tools/worker" 10 >/dev/null
	"$perfstamp" check data >check.out || true
	grep -x 'CPU time used: not recorded' check.out
}
