#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A recorder that is killed leaves a file that every perf opens, short by at most the
# last round. KILLS is how many are killed at random moments.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
	KILLS=${KILLS:-12}
}

teardown() {
	end_load
	recording__end
}

# A workload that is never idle, and makes processes: it tells in the file $2 who it is. It
# outlives its recorder, but not for long.
cat_load() {
	cat <<-'END'
		"$1" -t 1 100000 >/dev/null &
		echo "$$ $!" >"$2.new"
		mv "$2.new" "$2"
		while [ "$SECONDS" -lt 100 ]; do /bin/true; done
	END
}

# Starts recording the load into data, its time stamps by the clock of /proc/uptime.
record_load() {
	n_loads=$((${n_loads:-0} + 1))
	load=load.$n_loads
	rm -f data
	start "$perfstamp" record -q -e cpu-clock -F 2000 -k boottime "${room[@]}" "$@" -- \
		bash -c "$(cat_load)" load "$tools/worker" "$load"
}

# Of one whose recorder was killed at its begin, it may be just about to tell.
end_load() {
	local file
	local -a words

	for file in load.*; do
		[ -s "$file" ] || continue
		read -r -a words <"$file"
		kill -KILL "${words[@]}" 2>/dev/null || true
		rm "$file"
	done
}

# Opens in all perfs; check and list have nothing against it but that it has no end.
is_valid_but_for_its_end() {
	local version

	for version in "${perfs[@]}"; do
		perf "$version" script -i "$1" -F time,ip,sym >"script.$version" 2>script.err || {
			echo "perf $version script: status $?" && cat script.err && return 1
		}
	done
	run -1 "$perfstamp" check "$1"
	echo "$output"
	# What lived for a moment on a machine short of memory is another matter.
	[ "$(grep '^wrong: ' <<<"$output" | grep -v missed-identities)" = "wrong: unfinished: the recording was not closed properly" ] ||
		return 1
	"$perfstamp" list "$1" >list.out
}

# How many bytes of data there are up to the end of the last round, by the header; and
# whether they have become more.
up_to_round() {
	od -An -t u8 -j 48 -N 8 data | tr -d ' '
}

has_grown() {
	[ "$(up_to_round)" -gt "$1" ]
}

# The time of the last record of data, in seconds.
last_record() {
	{ "$perfstamp" dump --json data 2>/dev/null || true; } |
		jq -s 'map(.time_ns // 0) | max / 1e9'
}

@test "killed at random moments under load, each file opens in all perfs and lacks at most a round" {
	local n moment up version
	RANDOM=1
	for ((n = 1; n <= KILLS; n++)); do
		record_load -o data
		moment=$((RANDOM % 1200))
		up=0
		# The start included, for some. Of the others all is there from before three rounds.
		if [ "$n" -gt $((KILLS / 4)) ]; then
			await has_records data
			await test -s "$load"
			read -r up _ </proc/uptime
			# A round may be under way by now, and the next one have only what came before.
			await has_grown "$(up_to_round)"
			await has_grown "$(up_to_round)"
			await has_grown "$(up_to_round)"
			moment=$((moment % 300))
		fi
		sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
		stop_recording KILL
		[ "$status" -eq 137 ]
		end_load
		# Killed before there was a file.
		[ "$up" != 0 ] || [ -s data ] || continue
		is_valid_but_for_its_end data
		echo "at $up there was all; the last is of $(last_record)"
		last_record | awk -v up="$up" '{ exit !($1 >= up - 0.02) }'
	done
	[ "$(grep -c worker_ script.newest)" -gt 20 ]
	for version in "${perfs[@]}"; do
		perf "$version" report -i data --stdio | grep -q worker_
	done
	# All perfs see the same samples.
	[ "$(wc -l <script.6.1)" -eq "$(wc -l <script.newest)" ]
	[ "$(wc -l <script.6.12)" -eq "$(wc -l <script.newest)" ]
}

@test "while it is recorded a file can be read at any moment" {
	local n
	record_load -o data
	await has_records data
	for n in 1 2 3 4; do
		cp data "now.$n"
		await has_grown "$(up_to_round)"
	done
	await has_samples data 1000
	cp data now.5
	stop_recording INT
	end_load
	for n in 1 2 3 4 5; do
		is_valid_but_for_its_end "now.$n"
	done
	[ "$(grep -c worker_ script.newest)" -gt 50 ]
	is_valid data
}

@test "what was written after the last round does no harm, wherever it ends" {
	local size cut data_end
	record_load -o data
	await has_samples data 10
	stop_recording KILL
	end_load
	data_end=$(($(od -An -t u8 -j 40 -N 8 data) + $(od -An -t u8 -j 48 -N 8 data)))
	size=$(stat -c %s data)
	[ "$size" -ge "$data_end" ]
	for cut in 0 1 7 8 30; do
		head -c "$data_end" data >shorter
		head -c "$cut" /dev/urandom >>shorter
		is_valid_but_for_its_end shorter
	done
}

@test "a pipe's recorder that is killed leaves what the reader has got" {
	local version
	mkfifo pipe
	start cp pipe copy
	record_load -o pipe
	await has_samples copy 1000
	stop_recording KILL
	end_load
	for version in "${perfs[@]}"; do
		perf "$version" script -i copy -F ip,sym >script.out
		[ "$(grep -c worker_ script.out)" -gt 20 ]
	done
	"$perfstamp" check copy || "$perfstamp" check copy | grep -q '^wrong: '
	"$perfstamp" list copy || true
}

# Each sample has so much of the stack that a few fill the pipe.
@test "a recording into a pipe ends when its reader has ended" {
	mkfifo pipe
	start head -c 1 pipe
	record_load --call-graph dwarf,65528 -o pipe 2>record.err
	await is_over
	run -1 wait "$pid"
	end_load
	grep -q 'pipe: cannot write: Broken pipe' record.err
}

# How many bytes the recorder has written to anything.
has_written() {
	[ "$(awk '$1 == "wchar:" { print $2 }' "/proc/$pid/io")" -ge "$1" ]
}

ends_by_signal() {
	kill -INT "$pid" 2>/dev/null || true
	is_over
}

@test "a pipe whose reader does not read does not keep the recorder from its end" {
	status=0
	mkfifo pipe
	exec 9<>pipe
	record_load --call-graph dwarf,65528 -o pipe 2>record.err
	await has_written 32768
	await ends_by_signal
	wait "$pid" || status=$?
	exec 9>&-
	end_load
	# A second signal ends the recorder at once.
	[ "$status" -eq 130 ] || grep -q 'pipe: its reader does not read' record.err
}

@test "a workload survives its recorder" {
	record_load -o data
	await test -s "$load"
	local workload worker
	read -r workload worker <"$load"
	stop_recording KILL
	sleep 0.2
	kill -0 "$workload" "$worker"
}

# A recorder that cannot go on to write its file has not let go of the workload.
@test "one that is killed before its workload began takes it along" {
	local workload
	mkfifo nobody-reads
	start "$perfstamp" record -q -e cpu-clock -o nobody-reads -- touch executed
	await child_waits
	workload=$child
	stop_recording KILL
	await is_over "$workload"
	[ ! -e executed ]
}

@test "a recorder that waits for a pipe's reader ends by a signal" {
	mkfifo nobody-reads
	start "$perfstamp" record -q -e cpu-clock -o nobody-reads -- touch executed 2>record.err
	await child_waits
	kill -INT "$pid"
	await is_over
	run -1 wait "$pid"
	[ ! -e executed ]
	grep -q 'no process reads nobody-reads' record.err
}

# The recorder's child that is to become the workload: other than those that read for it.
child_waits() {
	local one

	for one in $(pgrep -P "$pid"); do
		child=$one
		[ "$(cat "/proc/$one/comm" 2>/dev/null)" = perfstamp ] && return
	done
	return 1
}
