#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A recording of a whole machine in many files, under processes that come and go, a binary
# that is replaced again and again, and a module that is loaded and unloaded.
#
#   soak.sh run DIR     records into DIR/data.*; how much memory the recorder has after
#                       each switch goes to DIR/rss, its CPU time to DIR/cpu
#   soak.sh judge DIR   prints "wrong: ..." for what must not be, and a table
#
# SOAK_PROCESSES and SOAK_ROTATIONS say how much; SOAK_RECORD has more options.
set -euo pipefail
processes=${SOAK_PROCESSES:-60}
rotations=${SOAK_ROTATIONS:-5}
output=${OUTPUT:-.output}
perfstamp=$(realpath "$output")/perfstamp
tools=$(realpath "$output")/tools

wait_for() {
	local tries=6000

	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || { echo "in vain: $*" && exit 1; }
		sleep 0.1
	done
}

has_files() {
	[ "$(find "$1" -name 'data.2*' | wc -l)" -ge "$2" ]
}

run() {
	local dir=$1 n i recorder worker

	mkdir -p "$dir" /tmp/soak
	# shellcheck disable=SC2086 # options
	"$perfstamp" record -a -e cpu-clock -F 99 -m 1M --switch-output -o "$dir/data" \
		${SOAK_RECORD:-} 2>"$dir/record.err" &
	recorder=$!
	wait_for test -s "$dir/data"
	# It is there all the time, and in each file but the first known from memory alone.
	nice -n 19 "$tools/worker" -t 1 100000000 >"$dir/worker" &
	worker=$!
	cp /bin/true /tmp/soak/app
	for ((n = 1; n <= rotations; n++)); do
		cp /tmp/soak/app /tmp/soak/app.new
		echo "$n" >>/tmp/soak/app.new
		mv /tmp/soak/app.new /tmp/soak/app
		for ((i = 0; i < processes / rotations; i++)); do /tmp/soak/app; done
		modprobe dummy && rmmod dummy
		kill -USR2 "$recorder"
		wait_for has_files "$dir" "$n"
		awk '$1 == "RssAnon:" { print $2 }' "/proc/$recorder/status" >>"$dir/rss"
	done
	awk '{ print ($14 + $15) / 100 }' "/proc/$recorder/stat" >"$dir/cpu"
	awk '{ print $1 }' /proc/uptime >"$dir/uptime"
	kill -INT "$recorder"
	wait "$recorder"
	kill -KILL "$worker"
}

# All samples are in one file, in order; each file is good in stock perf without a word, and
# all samples in user space are in a mapping that the file tells of.
judge() {
	local dir=$1 file last=0 first newest n files=0 samples=0

	for file in "$dir"/data.2*; do
		files=$((files + 1))
		scripts/perf "${SOAK_JUDGE:-newest}" script -i "$file" -F comm,ip,sym >"$dir/script" 2>"$dir/script.err" ||
			echo "wrong: perf script $file"
		[ ! -s "$dir/script.err" ] || echo "wrong: $file: $(head -n 1 "$dir/script.err")"
		# In the kernel a process goes on for a moment after the record of its exit.
		if grep -q '^ *:[0-9]*  *[0-9a-e]' "$dir/script"; then echo "wrong: $file: a process without name"; fi
		"$perfstamp" check "$file" >"$dir/check" || echo "wrong: $file: $(grep '^wrong' "$dir/check" | head -n 1)"
		if grep '^  user, not mapped  *[1-9]' "$dir/check"; then echo "wrong: $file"; fi
		"$perfstamp" dump --json "$file" | jq -r 'select(.type == "SAMPLE") | .time_ns' |
			sort -n | awk 'BEGIN { first = last = 0 } NR == 1 { first = $1 } { last = $1 } END { printf "%s %s %d\n", first, last, NR }' >"$dir/times"
		read -r first newest n <"$dir/times"
		samples=$((samples + n))
		[ "$n" -gt 0 ] || continue
		[ "$first" -gt "$last" ] || echo "wrong: $file begins before the end of the one before"
		last=$newest
	done
	[ "$files" -eq $((rotations + 1)) ] || echo "wrong: $files files"
	grep -q "^\[ perfstamp record: $samples samples, .*data\.\*: $files files" "$dir/record.err" ||
		echo "wrong: $samples samples in all files; $(tail -n 1 "$dir/record.err")"
	# After a third it is as large as it becomes.
	awk '{ rss[NR] = $1 } END { early = rss[int(NR / 3) + 1]; if (rss[NR] > 1.2 * early + 1024)
		print "wrong: memory grows from " early " to " rss[NR] " KiB" }' "$dir/rss"
	echo "files $files, samples $samples"
	echo "memory after each switch, KiB: $(xargs <"$dir/rss")"
	echo "CPU of the recorder: $(cat "$dir/cpu") s of $(cat "$dir/uptime") s since boot"
	tail -n 3 "$dir/record.err"
}

"$@"
