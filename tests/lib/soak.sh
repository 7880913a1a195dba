#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Recordings of a whole machine in many files, under short-lived processes of a program that
# is replaced again and again, and a module that is loaded and unloaded: one with room in
# its rings, and one with rings so small that they overflow.
#
#   soak.sh run DIR     records into DIR/room and DIR/tiny; what the recorder takes after
#                       each switch goes to own in there, uptime, KiB and CPU seconds
#   soak.sh host DIR    the same on this very machine, of the load alone: without a module,
#                       and in a new cgroup for each file, which goes before it is done
#   soak.sh judge DIR   prints "wrong: ..." for what must not be, and a table
#
# SOAK_PROCESSES and SOAK_ROTATIONS say how much; of the switches SOAK_TINY are with small
# rings. With HOURS it goes on for so long, with as much in each file, and keeps 3 GB.
# SOAK_RECORD has more options.
set -euo pipefail
processes=${SOAK_PROCESSES:-60}
rotations=${SOAK_ROTATIONS:-5}
tiny=${SOAK_TINY:-0}
hours=${HOURS:-}
each=$((processes / rotations))
every=$((each < 200 ? each / 4 + 1 : 50)) # processes between two builds
output=${OUTPUT:-.output}
perfstamp=$(realpath "$output")/perfstamp
tools=$(realpath "$output")/tools
home=/tmp/soak
cgroups='' # where the host's load makes its own
idle=(nice -n 19)
here=$(dirname "$(readlink -f "$0")")
# shellcheck source-path=SCRIPTDIR source=await.sh
. "$here/await.sh"
AWAIT_SECONDS=600

# ---- The load, and who records it ----

# There is a complete file that was not there at the last call.
has_next() {
	[ "$(find "$1" -name 'data.2*' | sort | tail -n 1)" != "$newest" ]
}

uptime_s() {
	awk '{ print int($1) }' /proc/uptime
}

# What the recorder takes by now: seconds since boot, KiB, seconds of CPU.
own() {
	echo "$(awk '{ print $1 }' /proc/uptime)" \
		"$(awk '$1 == "RssAnon:" { print $2 }' "/proc/$recorder/status")" \
		"$(awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hz }' "/proc/$recorder/stat")"
}

# More mappings than a ring of 4 KiB can take, beside a quarter more processes.
overflow() {
	local storm

	"$tools/storm" &
	storm=$!
	"$tools/forker" $((each / 4 + 1)) "$every" "$home/app" >/dev/null
	kill "$storm"
	wait "$storm" || true
}

# load DIR: what goes into one file.
load() {
	[ "$(basename "$1")" != tiny ] || overflow
	"$tools/forker" "$each" "$every" "$home/app" >/dev/null
}

# It is there all the time, and in each file but the first known from memory alone.
work() {
	"${idle[@]}" "$tools/worker" -t 1 1000000000 >"$1/worker" &
	worker=$!
}

stop_work() {
	kill -KILL "$worker"
	wait "$worker" 2>/dev/null || true
}

# The next file begins.
switch() {
	kill -USR2 "$recorder"
	await has_next "$1"
	newest=$(find "$1" -name 'data.2*' | sort | tail -n 1)
	own >>"$1/own"
}

# record DIR ROTATIONS OPTION...: one recording with so many switches, or for as long.
record() {
	local dir=$1 n=0 rotations=$2 reloads worker newest=''
	local end=$(($(uptime_s) + ${hours:-0} * 3600))

	mkdir -p "$dir"
	# shellcheck disable=SC2086 # options
	"$perfstamp" record -a -e cpu-clock -F 99 --switch-output -o "$dir/data" "${@:3}" \
		${SOAK_RECORD:-} 2>"$dir/record.err" &
	recorder=$!
	await test -s "$dir/data"
	work "$dir"
	own >"$dir/own"
	while [ "$n" -lt "$rotations" ] || { [ "$hours" ] && [ "$(uptime_s)" -lt "$end" ]; }; do
		n=$((n + 1))
		"$tools/reload" 3 dummy "$module" >/dev/null &
		reloads=$!
		load "$dir"
		wait "$reloads"
		switch "$dir"
	done
	kill -INT "$recorder"
	wait "$recorder"
	stop_work
	echo $((n * each)) >"$dir/processes"
	echo '' >"$dir/cgroups"
}

# The module dummy as it is loaded without modprobe.
unpack_module() {
	local file

	file=$(modinfo -n dummy)
	module=/tmp/soak/dummy.ko
	case $file in
	*.xz) xz -dc "$file" >"$module" ;;
	*) cp "$file" "$module" ;;
	esac
}

run() {
	mkdir -p "$home"
	unpack_module
	cp "$tools/brief" "$home/app"
	record "$1/room" $((rotations - tiny)) -m 4M ${hours:+--keep 3G}
	[ "$tiny" -eq 0 ] || hours='' record "$1/tiny" "$tiny" -m 4K --map-ring-size 4096
}

# ---- On the host: what is recorded is a workload that makes the load when told to ----

# soak.sh make_load DIR CGROUPS HOME: for each line that it reads, till "end".
make_load() {
	local n=0

	cgroups=$2
	home=$3
	idle=(chrt --idle 0)
	work "$1"
	# shellcheck disable=SC2064 # that one
	trap "kill -KILL $worker" EXIT
	trap 'exit 1' TERM
	while read -r line && [ "$line" != end ]; do
		n=$((n + 1))
		mkdir "$cgroups/$n"
		(echo "$BASHPID" >"$cgroups/$n/cgroup.procs" && load "$1")
		rmdir "$cgroups/$n"
		echo "done"
	done
}

# tell LINE: to the load, and waits for its answer.
tell() {
	local answer

	echo "$1" >&"$to"
	# Read when it is there: a read whose time is up in the midst of a line loses the begin.
	until read -r -t 0 -u "$from"; do
		kill -0 "$recorder" || { cat "$dir/record.err" && exit 1; }
		sleep 0.1
	done
	read -r -u "$from" answer
	[ "$answer" = "done" ]
}

# record_host DIR ROTATIONS OPTION...
record_host() {
	local dir=$1 n newest='' to from

	mkdir -p "$dir" "$cgroups"
	mkfifo "$dir/to" "$dir/from"
	exec {to}<>"$dir/to" {from}<>"$dir/from"
	# Each process has an event of its own: by the time on CPUs, since each lives briefly.
	# shellcheck disable=SC2086 # options
	"$perfstamp" record -e cpu-clock -c 50000 --switch-output -o "$dir/data" "${@:3}" ${SOAK_RECORD:-} -- \
		bash "$here/soak.sh" make_load "$dir" "$cgroups" "$home" \
		<"$dir/to" >"$dir/from" 2>"$dir/record.err" {to}>&- {from}>&- &
	recorder=$!
	await test -s "$dir/worker"
	own >"$dir/own"
	for ((n = 1; n <= $2; n++)); do
		tell "$n"
		switch "$dir"
	done
	echo end >&"$to"
	wait "$recorder"
	exec {to}>&- {from}>&-
	echo $(($2 * each)) >"$dir/processes"
	echo "/$(basename "$cgroups")" >"$dir/cgroups"
}

host() {
	local mount=/sys/fs/cgroup

	[ -z "$hours" ] || { echo "HOURS is for guests" && exit 1; }
	[ "$(stat -fc %T "$mount")" = cgroup2fs ] || mount=$mount/unified
	[ "$(stat -fc %T "$mount")" = cgroup2fs ] || { echo "cgroup2 is not mounted" && exit 1; }
	cgroups=$mount/perfstamp-soak-$$
	home=$(mktemp -d /tmp/soak.XXXXXX)
	trap 'rm -rf "$home" && rmdir "$cgroups"/* "$cgroups" 2>/dev/null || true' EXIT
	cp "$tools/brief" "$home/app"
	rm -rf "$1/room" "$1/tiny"
	record_host "$1/room" $((rotations - tiny)) -m 8M
	[ "$tiny" -eq 0 ] || record_host "$1/tiny" "$tiny" -m 4K --map-ring-size 4096
}

# ---- Of what it left ----

wrong() {
	echo "wrong: $file: $1"
}

# What check says is wrong. Where the rung is sys_exit, as on machines without kprobes, a
# mapping that is busy or gone when it is looked up has no identity: those are counted.
wrong_in_check() {
	local busy

	busy=$(awk '$1 == "lookup-failed" { print $2 }' "$dir/check")
	"$perfstamp" dump --header-only "$file" >"$dir/header"
	if [ "$busy" ] && grep -q 'rung.*sys_exit' "$dir/header"; then
		echo "$busy" >>"$dir/busy"
		grep '^wrong' "$dir/check" | grep -vE "^wrong: missed-identities: .*: $busy\$"
	else
		grep '^wrong' "$dir/check"
	fi
}

# A file that stands alone: it opens in stock perf without a word but of losses that it
# tells of, and each sample in user space is in a mapping, or in the time that a loss names.
# Adds a line to DIR/files: samples, lost, unresolved samples within losses and till the
# process was told again, execs.
judge_file() {
	local file=$1 dir=$2 lost

	scripts/perf "${SOAK_JUDGE:-newest}" script --ns -i "$file" -F comm,pid,time,ip,dso \
		>"$dir/script" 2>"$dir/script.err" || wrong "perf script fails"
	"$perfstamp" check "$file" >"$dir/check" || true
	"$perfstamp" dump --json "$file" >"$dir/dump"
	lost=$(awk '/^lost: / && $2 != "pids-full:" { n += $3 } END { print n + 0 }' "$dir/check")
	if [ "$lost" -eq 0 ]; then
		[ ! -s "$dir/script.err" ] || wrong "$(head -n 1 "$dir/script.err")"
		! wrong_in_check || wrong "see check"
	else
		! grep -vE '^$|^Warning:$|Processed [0-9]* events and lost [0-9]* chunks|Check IO/CPU overload' "$dir/script.err" ||
			wrong "see perf script"
		! wrong_in_check | grep -vE '^wrong: (lost-records|lost-samples)' || wrong "see check"
	fi
	# In the kernel a process goes on for a moment after the record of its exit.
	if [ "$lost" -eq 0 ] && grep -q '^ *:[0-9]*  *[0-9]*  *[0-9.]*:  *[0-9a-e]' "$dir/script"; then
		wrong "a process without name"
	fi
	awk -v file="$file" -v cgroups="$(cat "$dir/cgroups")" -f "$here/soak.awk" "$dir/check" "$dir/dump" "$dir/script" >"$dir/judged"
	grep -v '^sums ' "$dir/judged" || true
	sed -n 's/^sums //p' "$dir/judged" >>"$dir/files"
}

# judge_recording DIR: all of one recording.
judge_recording() {
	local dir=$1 file n_files said

	rm -f "$dir/files" "$dir/busy"
	for file in "$dir"/data.2*; do judge_file "$file" "$dir"; done
	n_files=$(wc -l <"$dir/files")
	file=$dir
	said=$(grep '^\[ perfstamp record: ' "$dir/record.err")
	awk -v said="$said" -v n_files="$n_files" -v processes="$(cat "$dir/processes")" -f "$here/soak-sums.awk" \
		"$dir/files" "$dir/own"
	[ ! -e "$dir/busy" ] || awk '{ n += $1 } END { print n " mappings busy or gone when they were looked up" }' "$dir/busy"
	echo "$said"
	grep -v '^\[ perfstamp record: ' "$dir/record.err" || true
}

judge() {
	judge_recording "$1/room"
	[ ! -e "$1/tiny" ] || judge_recording "$1/tiny"
}

"$@"
