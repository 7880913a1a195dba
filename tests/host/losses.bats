#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Losses are counted by cause, told with the time in which they were, and made good: by
# the file's end what runs is known as if nothing had been lost.
# shellcheck disable=SC2154,SC2030,SC2031 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

teardown() {
	exec 9>&-
	recording__end
}

# A shell that starts what it is told to by fd 9, one command a line, and is recorded with
# all that it starts.
start_shell() {
	mkfifo commands
	exec 9<>commands
	# shellcheck disable=SC2016 # for that shell
	start bash -c 'while read -r line; do eval "$line" & done <commands'
	shell=$pid
}

# The time of the last sample of the recording.
last_sample() {
	samples data | jq -s 'map(.time_ns) | max'
}

# The losses of CAUSE as check tells them, as "COUNT BEGIN END" with times in seconds.
losses_of() {
	"$perfstamp" check data | sed -n "s/^lost: $1: \([0-9]*\) between \([0-9.]*\) and \([0-9.]*\)$/\1 \2 \3/p"
}

# Whether samples of worker's functions after this second resolve, in all perfs, with the
# process's name.
workers_are_known_after() {
	local version

	for version in "${perfs[@]}"; do
		perf "$version" script -i data -F comm,ip,sym --time "$1," 2>stderr >script.out
		[ "$(grep -c '^ *worker .*worker_' script.out)" -gt 20 ]
		run -1 grep '^ *worker .*\[unknown\]' script.out
	done
}

@test "a recorder that was stopped: what began meanwhile is known afterwards, and when it lost" {
	local stopped went_on cause recorder
	start_shell
	start_recording -F 5000 -m 8 --map-ring-size 4096 -p "$shell"
	recorder=$pid
	echo "exec $tools/storm 8000" >&9
	sleep 1
	stopped=$(awk '{ print $1 }' /proc/uptime)
	kill -STOP "$recorder"
	sleep 1
	# Its fork, exec and name are lost, for the rings are full.
	echo "exec $tools/worker -t 1 -c 100000 >worker.out" >&9
	sleep 2
	went_on=$(awk '{ print $1 }' /proc/uptime)
	kill -CONT "$recorder"
	sleep 5
	pid=$recorder
	stop_recording INT
	[ "$status" -eq 0 ]
	run -1 "$perfstamp" check data
	echo "$output"
	# Both rings, and the time of the stop is in what is told.
	for cause in ring-full perf-rings; do
		losses_of "$cause" >losses
		echo "$cause: $stopped to $went_on in $(cat losses)"
		awk -v stopped="$stopped" -v went_on="$went_on" \
			'$2 <= stopped + 1.5 && $3 >= went_on - 0.1 { found = 1 } END { exit !found }' losses
	done
	[[ $("$perfstamp" dump --header data) == *'snapshots: '[1-9]* ]]
	workers_are_known_after "$(last_sample | awk '{ printf "%.6f", $1 / 1e9 - 1 }')"
}

# The ids of maps of this name, one a line.
maps_named() {
	bpftool map show -j | jq -r ".[] | select(.name == \"$1\").id" | sort
}

@test "children that there was no room to follow are found when there is" {
	local before map
	before=$(maps_named recorded_pids)
	start_shell
	start_recording -F 500 -p "$shell"
	recorder=$pid
	map=$(comm -13 <(echo "$before") <(maps_named recorded_pids))
	# Of others, who record as well, there may be more: the test is then of no use.
	[ "$(wc -w <<<"$map")" -eq 1 ] || skip "another recording was begun at the same time"
	# Numbers that no process has, until no more go in.
	awk -v map="$map" 'BEGIN { for (i = 0; i < 65536; i++)
		printf "map update id %d key %d %d 127 0 value 0 0 0 0 0 0 0 0\n", map, i % 256, i / 256 }' >fill
	run bpftool batch file fill
	echo "exec $tools/worker -t 1 -c 100000 >worker.out" >&9
	await grep -q ready worker.out
	sleep 1.5
	sed 's/update/delete/; s/ value.*//' fill >empty
	run bpftool batch file empty
	sleep 4
	pid=$recorder
	stop_recording INT
	[ "$status" -eq 0 ]
	read -r _ worker _ <worker.out
	# That its parent was recorded is what perf's events tell; its mappings are the snapshot's.
	[ "$(count data ".type == \"MMAP2\" and .pid == $worker and .snapshot and .time_ns > 0")" -gt 2 ]
	[ -n "$(losses_of pids-full)" ]
	workers_are_known_after "$(last_sample | awk '{ printf "%.6f", $1 / 1e9 - 1 }')"
}
