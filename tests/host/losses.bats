#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Losses are counted by cause, told with the time in which they were, and made good: by
# the file's end what runs is known as if nothing had been lost. ROUNDS is how often rings are
# forced to overflow.
# shellcheck disable=SC2154,SC2030,SC2031 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
	shell=''
}

teardown() {
	end_shell
	recording__end
}

# What the shell started works on without it.
end_shell() {
	local started

	for started in ${shell:+$(pgrep -P "$shell")}; do
		pkill -KILL -P "$started" || true
		kill -KILL "$started" || true
	done
	exec 9>&-
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
		# In the kernel it may be what others have loaded there meanwhile.
		run -1 grep '^ *worker  *[0-9a-e][0-9a-f]* \[unknown\]' script.out
	done
}

# Milliseconds that process PID has been on CPUs.
cpu_ms() {
	sed 's/.*) //' "/proc/$1/stat" | awk -v hz="$(getconf CLK_TCK)" '{ print ($12 + $13) * 1000 / hz }'
}

has_worked() {
	[ "$(cpu_ms "$1")" -gt "$2" ]
}

is_a_child() {
	child=$(pgrep -P "$1" -x "$2")
}

# Whether data has told of the mappings of process PID again.
is_told_again() {
	[ "$("$perfstamp" dump --json data 2>/dev/null | jq -c "select(.type == \"MMAP2\" and
		.pid == $1 and .snapshot and .time_ns > 0)" | wc -l)" -gt 2 ]
}

# Whether samples of WORKER after its mappings were last told are in data: enough for all perfs
# to be asked for them.
told_again_at() {
	"$perfstamp" dump --json data 2>/dev/null | jq -c "select(.pid == $1)" >of_worker
	again=$(jq -s 'map(select(.type == "MMAP2" and .snapshot).time_ns) | max' of_worker)
	[ "$(jq -c "select(.type == \"SAMPLE\" and .tid == $1 and .time_ns > $again)" of_worker | wc -l)" -gt 100 ]
}

# Stops the recorder once it has recorded the storm that the shell starts. Sets storm.
stop_in_a_storm() {
	echo "exec $tools/storm" >&9
	await is_a_child "$shell" storm
	storm=$child
	await has_record data ".type == \"MMAP2\" and .pid == $storm"
	kill -STOP "$recorder"
}

overflow() {
	local stopped went_on cause recorder storm worker
	start_shell
	start_recording -F 5000 -m 8 --map-ring-size 4096 -p "$shell"
	recorder=$pid
	stop_in_a_storm
	stopped=$(awk '{ print $1 }' /proc/uptime)
	# By then both rings are full.
	await has_worked "$storm" "$(($(cpu_ms "$storm") + 300))"
	# Its fork, exec and name are lost.
	echo "exec $tools/worker -t 1 -c 100000 >worker.out" >&9
	await grep -qs ready worker.out
	read -r _ worker _ <worker.out
	went_on=$(awk '{ print $1 }' /proc/uptime)
	kill -CONT "$recorder"
	await is_told_again "$worker"
	kill -KILL "$storm"
	await told_again_at "$worker"
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
			'$2 <= stopped + 0.1 && $3 >= went_on - 0.1 { found = 1 } END { exit !found }' losses
	done
	[[ $("$perfstamp" dump --header data) == *'snapshots: '[1-9]* ]]
	workers_are_known_after "$(seconds_after "$again")"
	end_shell
}

@test "a recorder that was stopped: what began meanwhile is known afterwards, and when it lost" {
	each_round overflow
}

# The id of the map NAME that process PID holds, by a look through its descriptors.
map_of() {
	bpftool map show -j | jq -r ".[] | select(.name == \"$2\").id" | while read -r id; do
		if grep -qsx "map_id:[[:space:]]*$id" "/proc/$1/fdinfo"/*; then echo "$id"; fi
	done
}

@test "children that there was no room to follow are found when there is" {
	local map recorder worker
	start_shell
	start_recording -F 500 -p "$shell"
	recorder=$pid
	map=$(map_of "$recorder" recorded_pids)
	[ "$(wc -w <<<"$map")" -eq 1 ]
	# Numbers that no process has, until no more go in. A value is struct tree_process.
	awk -v map="$map" -v zeros="$(printf ' 0%.0s' {1..16})" 'BEGIN { for (i = 0; i < 65536; i++)
		printf "map update id %d key %d %d 127 0 value%s\n", map, i % 256, i / 256, zeros }' >fill
	run bpftool batch file fill
	echo "exec $tools/worker -t 1 -c 100000 >worker.out" >&9
	await grep -qs ready worker.out
	read -r _ worker _ <worker.out
	# So that it has looked for room in vain.
	sleep 6
	sed 's/update/delete/; s/ value.*//' fill >empty
	run bpftool batch file empty
	# That its parent was recorded is what perf's events tell; its mappings are the snapshot's.
	await is_told_again "$worker"
	await told_again_at "$worker"
	pid=$recorder
	stop_recording INT
	[ "$status" -eq 0 ]
	[ -n "$(losses_of pids-full)" ]
	workers_are_known_after "$(seconds_after "$again")"
}

# Whether the file that is written now has samples of process PID, enough to ask perf for them.
has_samples_of() {
	[ "$("$perfstamp" dump --json data 2>/dev/null | jq -c "select(.type == \"SAMPLE\" and .pid == $1)" | wc -l)" -gt 100 ]
}

has_more_than() {
	[ "$(find . -name 'data.2*' | wc -l)" -gt "$1" ]
}

# Whether the next file has nothing of process PID: threads may be told again a while after
# mappings.
is_forgotten() {
	local had

	had=$(find . -name 'data.2*' | wc -l)
	kill -USR2 "$recorder"
	await has_more_than "$had"
	[ "$("$perfstamp" dump --json data 2>/dev/null | jq -c "select(.pid == $1)" | wc -l)" -eq 0 ]
}

# Whether the main thread of process PID has exited, and others have not.
leader_has_exited() {
	[[ $(sed 's/.*) //' "/proc/$1/task/$1/stat") == Z* ]]
}

@test "what a loss hid is known in the next file, too, and what ended meanwhile is not" {
	local recorder storm worker gone leaderless first last
	start_shell
	start_recording -F 5000 -m 8 --map-ring-size 4096 --switch-output -p "$shell"
	recorder=$pid
	cp "$tools/worker" departed
	echo "exec $PWD/departed -s -t 1 3600000 >gone.out" >&9
	await grep -qs ready gone.out
	read -r _ gone _ <gone.out
	echo "exec $tools/worker -s -w -e -t 1 3600000 >leaderless.out" >&9
	await grep -qs ready leaderless.out
	read -r _ leaderless _ <leaderless.out
	stop_in_a_storm
	await has_worked "$storm" "$(($(cpu_ms "$storm") + 300))"
	# Its begin is lost, and the other one's end.
	echo "exec $tools/worker -t 1 100000 >worker.out" >&9
	await grep -qs ready worker.out
	read -r _ worker _ <worker.out
	kill -KILL "$gone"
	# Of this one the end of one thread is lost, and not that of the other.
	kill -USR1 "$leaderless"
	await leader_has_exited "$leaderless"
	kill -CONT "$recorder"
	await is_told_again "$worker"
	kill -KILL "$storm"
	await told_again_at "$worker"
	kill -KILL "$leaderless"
	await is_forgotten "$leaderless"
	await is_forgotten "$gone"
	await has_samples_of "$worker"
	pid=$recorder
	stop_recording INT
	[ "$status" -eq 0 ]
	last=$(printf '%s\n' data.2* | tail -n 1)
	perf newest script -i "$last" -F comm,pid,ip,sym >script.out
	[ "$(grep -c "^ *worker  *$worker .*worker_" script.out)" -gt 20 ]
	run -1 grep "$worker  *[0-9a-e][0-9a-f]* \[unknown\]" script.out
	[ "$(count "$last" ".type == \"MMAP2\" and .pid == $worker and .snapshot and .build_id")" -gt 2 ]
	[ "$(count "$last" ".pid == $gone or .pid == $leaderless")" -eq 0 ]
	# In the file of the loss it has ended as well, if that has all threads again: not where only
	# map records were lost, as where samples had room.
	first=$(printf '%s\n' data.2* | head -n 1)
	[ "$(count "$first" '.check')" -eq 0 ] || "$perfstamp" list --json "$first" |
		jq -es 'map(select(.path | endswith("/departed")) | .alive) == [false]'
}

uptime_ms() {
	awk '{ printf "%d", $1 * 1000 }' /proc/uptime
}

@test "rings that are full again at once do not end rounds before all of their time has come" {
	local begin marks bound
	cp "$tools/brief" app
	begin=$(uptime_ms)
	"$perfstamp" record -e cpu-clock -c 50000 -m 1 --map-ring-size 4096 -o data -- "$tools/forker" 1000 100 "$PWD/app"
	# A quarter of a second apart, but for those of the begin and the end.
	bound=$((($(uptime_ms) - begin) / 250 + 6))
	marks=$(count data '.type == "FINISHED_ROUND"')
	echo "$marks rounds, at most $bound"
	[ "$marks" -gt 0 ] && [ "$marks" -le "$bound" ]
}

@test "without bpf(2) a loss is made good, too, and the recording goes on" {
	local recorder storm worker perfstamp=$perfstamp
	printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$tools/without_bpf" "$perfstamp" >without
	chmod +x without
	perfstamp=$PWD/without
	start_shell
	start_recording -F 5000 -m 8 -p "$shell" 2>record.err
	recorder=$pid
	stop_in_a_storm
	await has_worked "$storm" "$(($(cpu_ms "$storm") + 300))"
	echo "exec $tools/worker -t 1 -c 100000 >worker.out" >&9
	await grep -qs ready worker.out
	read -r _ worker _ <worker.out
	kill -CONT "$recorder"
	await is_told_again "$worker"
	kill -KILL "$storm"
	# The kernel's symbols are read meanwhile.
	await has_worked "$worker" "$(($(cpu_ms "$worker") + 1000))"
	pid=$recorder
	stop_recording INT
	cat record.err
	[ "$status" -eq 0 ]
	[ -n "$(losses_of perf-rings)" ]
}
