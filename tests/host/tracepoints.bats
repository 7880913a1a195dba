#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recordings of tracepoints, which are read by their format in tracefs.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash
# shellcheck disable=SC2016 # what the shell in another namespace is to expand

setup() {
	load ../lib/recording.bash
}

teardown() {
	recording__end
}

@test "tracepoints are recorded with their fields, in a file and in a pipe" {
	local version
	(with_tracefs record -e sched:sched_process_exec,cpu-clock -e 'sched:sched_process_fo*' \
		-o data -- sh -c '/bin/true; :')
	(with_tracefs record -e sched:sched_process_exec -o - -- sh -c '/bin/true; :' >pipe)
	all_read data
	all_read pipe
	for version in "${perfs[@]}"; do
		for file in data pipe; do
			perf "$version" script -i "$file" 2>script.err |
				grep -q "sched:sched_process_exec: filename=/bin/true pid="
		done
		perf "$version" script -i data -F event,trace 2>script.err |
			grep -q "sched:sched_process_fork: .*child_comm=sh"
	done
	[[ $(event_of data) == *"|RAW|"* ]]
	"$perfstamp" check data
	"$perfstamp" check pipe
}

tells_of_worker() {
	[ -s data ] && perf newest script -i data -F event,trace 2>script.err |
		grep "sched:sched_stat_runtime: .*comm=worker " >script.out
}

@test "a killed recording of tracepoints can be read as well" {
	local version
	start_worker -t 1 -c 20000
	start with_tracefs record -q -e "sched:*" "${room[@]}" -o data -p "${ids[0]}"
	await tells_of_worker
	kill -KILL "$pid"
	wait "$pid" || true
	for version in "${perfs[@]}"; do
		perf "$version" script -i data -F event,trace 2>script.err |
			grep -q "sched:sched_stat_runtime: .*comm=worker "
	done
	run -1 "$perfstamp" check data
	[[ $output == *"wrong: unfinished"* ]]
}

@test "without tracefs a tracepoint is refused, with what to do" {
	run -1 --separate-stderr unshare -m sh -c '
		umount -l /sys/kernel/tracing /sys/kernel/debug 2>/dev/null
		exec "$0" record -e sched:sched_switch -o data -- true' "$perfstamp"
	[[ $stderr == *"tracefs must be mounted and readable (mount -t tracefs nodev /sys/kernel/tracing)" ]]
	[ ! -e data ]
}
