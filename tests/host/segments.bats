#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Programs with more than one executable segment lose none of them, whatever the gaps:
# tests/lib/segments.sh compares with what each program sees of itself.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

teardown() {
	recording__end
}

# all_are_found RUNG
all_are_found() {
	local shapes=(plain above below two pie static static-pie many writable loader node)

	# The kernel's own records do not have what mremap() moves.
	[ "$1" = MMAP2 ] || shapes+=(moved)
	cd "$root" || return
	run bash tests/lib/segments.sh "$1" "${shapes[@]}"
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(grep -c '^segments: .* maps=[1-9][0-9]* missing=0 unmapped=0 lost=0$' <<<"$output")" -eq ${#shapes[@]} ]
}

@test "sys_exit: every executable segment of a program and its interpreter is found" {
	all_are_found sys_exit
}

@test "MMAP2: every executable segment of a program and its interpreter is found" {
	all_are_found MMAP2
}

# How many of the mappings of its own file process PID is known to have.
has_mappings() {
	[ "$("$perfstamp" dump --json data 2>/dev/null | jq -r "select(.type == \"MMAP2\" and
		.pid == $1 and (.path | endswith(\"/segments\"))) | .addr" | sort -u | wc -l)" -gt "$2" ]
}

# One mprotect() of more mappings than are looked up. Before, they were found by a look at
# all processes, a second later; now the kernel side names the process that it is about.
@test "mappings that could not be looked up are read from the process at once" {
	mkfifo go
	exec 9<>go
	# shellcheck disable=SC2016 # for that shell
	start bash -c 'read -r _ <go; exec "$1" protect 60 >maps' - "$tools/segments"
	watched=$pid
	start_recording --rung sys_exit -p "$watched"
	recorder=$pid
	echo >&9
	await has_mappings "$watched" 60
	kill -INT "$recorder"
	wait "$recorder" || [ $? -eq 130 ]
	exec 9>&-
	run "$perfstamp" check data
	echo "$output"
	[[ $output =~ lost:\ lookup:\ 1\  ]]
	run "$perfstamp" dump --header data
	[[ $output =~ snapshots:\ 0 ]]
}

# One call may map code in more than one place, or not where it returns (tests/tools/hide.c). A
# kernel that refuses a way has nothing to record: "WAY: -".
@test "sys_exit: all code that one call maps is found, or counted as lost" {
	local way made seen lost
	"$tools/elf_gen" plain - code
	truncate -s 8192 code
	for way in mremap-several mremap-partial mprotect-partial ipc-shmat ipc-shmat-nowhere; do
		made=$("$perfstamp" record --rung sys_exit -o data -- "$tools/hide" "$way" "$PWD/code" 20 2>record.err)
		made=${made#*: }
		[ "$made" != - ] || continue
		seen=$("$perfstamp" dump --json data | jq -r 'select(.type == "MMAP2" and
			(.snapshot | not) and (.path | test("/code$|^/SYSV690"))) | .addr' | wc -l)
		lost=$(sed -n 's/.*, \([0-9]*\) lost;.*/\1/p' record.err)
		echo "$way: $made mappings, $seen recorded, $lost lost"
		[ $((seen + lost)) -eq "$made" ]
		[ $way = ipc-shmat-nowhere ] || [ "$lost" -eq 0 ]
	done
}
