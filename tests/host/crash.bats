#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A recorder that is killed leaves a file that every perf opens, short by at most the
# last round. KILLS is how many are killed at random moments.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
	KILLS=${KILLS:-20}
}

teardown() {
	end_load
	recording__end
}

# A workload that is never idle, and makes processes: it tells when it began, and who it
# is. It outlives its recorder, but not for long.
cat_load() {
	cat <<-'END'
		read -r up _ </proc/uptime
		"$1" -t 1 20000 >/dev/null &
		echo "$up $$ $!" >load.new
		mv load.new load
		while [ "$SECONDS" -lt 20 ]; do /bin/true; done
	END
}

# Starts recording the load into data, its time stamps by the clock of /proc/uptime.
record_load() {
	rm -f data load
	start "$perfstamp" record -q -e cpu-clock -F 2000 -k boottime "$@" -- \
		bash -c "$(cat_load)" load "$tools/worker"
}

end_load() {
	local -a words

	[ -s load ] || return 0
	read -r -a words <load
	kill -KILL "${words[@]:1}" 2>/dev/null || true
	rm load
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
	[ "$(grep '^wrong: ' <<<"$output")" = "wrong: unfinished: the recorder did not write a proper end" ] ||
		return 1
	"$perfstamp" list "$1" >list.out
}

@test "killed at random moments under load, each file opens in all perfs and lacks at most a round" {
	local n moment up last began version gaps='' with_samples=0
	for ((n = 1; n <= KILLS; n++)); do
		record_load -o data
		moment=$((RANDOM % 1200))
		[ "$n" -lt "$KILLS" ] || moment=1200
		# The start included, for some; and the last has something to report.
		[ "$n" -le $((KILLS / 5)) ] || await test -s load
		sleep "$(printf '%d.%03d' $((moment / 1000)) $((moment % 1000)))"
		read -r up _ </proc/uptime
		stop_recording KILL
		[ "$status" -eq 137 ]
		began=$up
		[ ! -s load ] || read -r began _ <load
		end_load
		# Killed before there was a file.
		[ -s data ] || continue
		is_valid_but_for_its_end data
		last=$(awk 'END { sub(":", "", $1); print $1 + 0 }' script.newest)
		# What it lacks, since the last sample or else since the workload began.
		[ "$last" = 0 ] || with_samples=$((with_samples + 1))
		gaps+="$(awk -v up="$up" -v last="$last" -v began="$began" \
			'BEGIN { print up - (last > began ? last : began) }')"$'\n'
	done
	echo "seconds that are lacking: $(sort -n <<<"$gaps" | xargs)"
	# 0.25 s are a round, or 1 s an idle one; more is this machine's, where others compute as
	# well, and a recorder may wait for its turn: for one in twenty.
	sort -n <<<"${gaps%$'\n'}" | awk -v kills="$KILLS" '{ gap[NR] = $1 }
		END { exit !(NR >= 0.8 * kills && gap[int((NR + 1) / 2)] < 0.6 &&
			gap[int(0.95 * NR)] < 1 && gap[NR] < 3) }'
	[ "$with_samples" -ge $((KILLS * 6 / 10)) ]
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
	for n in 1 2 3 4 5; do
		cp data "now.$n"
		sleep 0.2
	done
	stop_recording INT
	end_load
	for n in 1 2 3 4 5; do
		is_valid_but_for_its_end "now.$n"
	done
	[ "$(grep -c worker_ script.newest)" -gt 100 ]
	is_valid data
}

@test "what was written after the last round does no harm, wherever it ends" {
	local size cut data_end
	record_load -o data
	await test -s load
	sleep 0.7
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
	await test -s load
	sleep 0.7
	stop_recording KILL
	end_load
	await test -s copy
	for version in "${perfs[@]}"; do
		perf "$version" script -i copy -F ip,sym >script.out
		[ "$(grep -c worker_ script.out)" -gt 20 ]
	done
	"$perfstamp" check copy || "$perfstamp" check copy | grep -q '^wrong: '
	"$perfstamp" list copy || true
}

@test "a workload survives its recorder" {
	record_load -o data
	await test -s load
	local up workload worker
	read -r up workload worker <load
	stop_recording KILL
	sleep 0.2
	[ -n "$up" ]
	kill -0 "$workload" "$worker"
}

@test "one that is killed before its workload began takes it along" {
	local n
	for n in 1 2 3 4 5; do
		rm -f executed
		start "$perfstamp" record -q -e cpu-clock -o data -- touch executed
		sleep 0.0$((n * 2 - 1))
		stop_recording KILL
		sleep 0.2
		# Either it had begun, or it never does.
		[ ! -e executed ] || [ "$n" -gt 1 ]
	done
}
