#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A large machine, as far as a small one can be it; docs/large-machines.md has what comes out.
#
#   large.sh cpus DIR       records all CPUs of this machine, and has each stock perf read it
#   large.sh crowd DIR      the same with many threads, cgroups and DSOs: CGROUPS, THREADS, DSOS
#   large.sh writer         what the recorder's one writer costs for a sample and for a MB
#   large.sh reader DIR     recordings of large machines, read
#
# Prints lines "NAME: VALUE". A line that begins with "wrong: " is a failure, and so is a status
# other than 0. cpus and crowd record the whole machine: in a guest.
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
output=${OUTPUT:-.output}
[[ $output == /* ]] || output=$here/$output
perfstamp=$output/perfstamp
tools=$output/tools
status=0

wrong() {
	echo "wrong: $*"
	status=1
}

# timed COMMAND...: its elapsed, user and system seconds are in $wall, $user and $sys.
timed() {
	local TIMEFORMAT='%R %U %S' said result=0

	{ time "$@" >"$dir/out" 2>"$dir/err"; } 2>"$dir/times" || result=$?
	read -r wall user sys <"$dir/times"
	if [ "$result" -ne 0 ]; then
		said=$(tail -n 2 "$dir/err")
		wrong "$1 ${2-}: status $result: $said"
	fi
}

# Of the recorder PID: descriptors, locked and resident memory.
weigh() {
	local fds rss

	fds=$(find "/proc/$1/fd" -mindepth 1 | wc -l)
	rss=$(awk '/^VmRSS/ { print $2 }' "/proc/$1/status")
	echo "descriptors: $fds"
	echo "resident KiB: $rss"
}

cpus() {
	local n version recorder seen

	n=$(nproc)
	echo "CPUs: $n"
	"$perfstamp" doctor | sed -n 's/^. ring memory */ring memory: /p'
	timed "$perfstamp" record -v -a -e cpu-clock -F 49 -o "$dir/data" -- sleep 1
	echo "record -a -- sleep 1: $wall s, $user s user, $sys s system"
	sed -n 's/^perfstamp record: \(.*rings\? of .*\)/\1/p' "$dir/err"
	grep -F ' samples, ' "$dir/err"
	for version in 6.1 6.12 newest; do
		timed "$here/scripts/perf" "$version" script -i "$dir/data" -F cpu,ip
		seen=$(cut -c2-4 "$dir/out" | sort -u | wc -l)
		echo "perf $version: $(wc -l <"$dir/out") samples of $seen CPUs"
		[ "$seen" -eq "$n" ] || wrong "perf $version sees $seen CPUs"
		[ ! -s "$dir/err" ] || wrong "perf $version: $(cat "$dir/err")"
		timed "$here/scripts/perf" "$version" report --header-only -i "$dir/data"
		grep -q "^# nrcpus online : $n\$" "$dir/out" || wrong "perf $version: nrcpus"
		[ ! -s "$dir/err" ] || wrong "perf $version: $(cat "$dir/err")"
	done
	timed "$perfstamp" check "$dir/data"
	# The recorder itself, while nothing comes, and its sum when it ends.
	"$perfstamp" record -q -a -e cpu-clock -c 1000000000000 -o "$dir/quiet" 2>"$dir/err" &
	recorder=$!
	until [ "$(od -An -t u8 -j 48 -N 8 "$dir/quiet" 2>/dev/null | tr -d ' ')" -gt 8 ] 2>/dev/null; do
		sleep 0.1
	done
	weigh "$recorder"
	kill -INT "$recorder"
	wait "$recorder" || wrong "record ended with $?: $(cat "$dir/err")"
}

crowd() {
	local i pids=() files=() ready n=${DSOS:-20000} threads=${THREADS:-20000} base=/sys/fs/cgroup/crowd maps

	mkdir -p "$base" "$dir/dso"
	seq -f "$base/pod-%.0f" 0 $((${CGROUPS:-5000} - 1)) | xargs mkdir
	for ((i = 0; i < n; i++)); do
		echo "$i" >"$dir/dso/$i"
		files+=("mmap:$dir/dso/$i")
	done
	for ((i = 0; i < threads; i += 10000)); do
		"$tools/worker" -s -t $((threads - i < 10000 ? threads - i : 10000)) 600000 >"$dir/ready.$i" &
		pids+=($!)
	done
	mkfifo "$dir/hold"
	"$tools/mapper" "${files[@]}" <>"$dir/hold" >"$dir/ready.dsos" &
	pids+=($!)
	for ready in "$dir"/ready.*; do
		until grep -q ready "$ready"; do
			sleep 0.2
		done
	done
	echo "threads: $(find /proc -maxdepth 3 -path '/proc/[0-9]*/task/[0-9]*' | wc -l)"
	timed "$perfstamp" record -a --all-cgroups -e cpu-clock -F 49 -o "$dir/data" -- sleep 1
	echo "record -a --all-cgroups of them: $wall s, $user s user, $sys s system, $(stat -c %s "$dir/data") bytes"
	grep -F ' samples, ' "$dir/err"
	timed "$perfstamp" dump --json "$dir/data"
	maps=$(grep -c "\"path\":\"$dir/dso/" "$dir/out" || true)
	echo "DSOs recorded: $maps"
	[ "$maps" -ge "$n" ] || wrong "$maps of $n DSOs are recorded"
	echo "cgroups recorded: $(grep -c '^{"type":"CGROUP"' "$dir/out" || true)"
	[ "$(grep -c '"path":"/crowd/pod-' "$dir/out" || true)" -ge "${CGROUPS:-5000}" ] ||
		wrong "not all cgroups are recorded"
	for i in check list; do
		timed "$perfstamp" "$i" "$dir/data"
		echo "$i: $wall s"
	done
	kill "${pids[@]}" 2>/dev/null || true
	wait "${pids[@]}" 2>/dev/null || true
}

# One busy process at two rates: what differs is the samples.
writer_of() {
	local option=$1 rate pid ids bytes n line
	local -a cost=() size=() count=()

	for rate in 50 50000; do
		: >"$dir/line"
		"$tools/worker" -w -t 3 2000 >"$dir/line" &
		pid=$!
		until read -r line ids <"$dir/line" && [ "$line" = ready ]; do
			sleep 0.1
		done
		# shellcheck disable=SC2086 # none or one word
		timed "$perfstamp" record -e cpu-clock -F "$rate" $option -m 8M -o "$dir/data" -p "${ids%% *}" -- \
			sh -c "kill -USR1 ${ids%% *}; while kill -0 ${ids%% *} 2>/dev/null; do sleep 0.1; done"
		kill "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
		n=$(sed -n 's/.* \([0-9]*\) samples, .*/\1/p' "$dir/err" | head -n 1)
		bytes=$(stat -c %s "$dir/data")
		cost+=("$(awk -v u="$user" -v s="$sys" 'BEGIN { print u + s }')")
		count+=("$n")
		size+=("$bytes")
	done
	awk -v option="${option:-plain}" -v c0="${cost[0]}" -v c1="${cost[1]}" -v n0="${count[0]}" \
		-v n1="${count[1]}" -v b0="${size[0]}" -v b1="${size[1]}" 'BEGIN {
		printf "writer, %s: %d samples of %.0f bytes: %.0f ns a sample, %.2f ms a MB\n", option,
			n1, (b1 - b0) / (n1 - n0), (c1 - c0) / (n1 - n0) * 1e9, (c1 - c0) * 1e9 / (b1 - b0)
	}'
}

writer() {
	writer_of ''
	writer_of -g
	writer_of -z
	writer_of --call-graph=dwarf
}

reader() {
	local command

	"$tools/crowd" "$dir/crowd" 256 "${THREADS:-100000}" "${CGROUPS:-5000}" "${DSOS:-20000}" "${SAMPLES:-1000000}"
	# Without functions: those of so many DSOs take minutes, each in a child of its own.
	for command in check list "timeline --no-functions -o $dir/page"; do
		# shellcheck disable=SC2086 # words
		timed "$perfstamp" $command "$dir/crowd"
		echo "$command of 256 CPUs: $wall s, $user s user"
	done
}

command=${1:?}
dir=${2:-$(mktemp -d)}
mkdir -p "$dir"
case $command in
cpus | crowd | writer | reader) "$command" ;;
*) wrong "$command: no such command" ;;
esac
exit "$status"
