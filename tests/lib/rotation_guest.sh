#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What goes wrong while a recording goes on in a next file, in one guest: a recorder of the
# whole machine that switches by SIGUSR2, and one fault after the other.
#
#   rotation_guest.sh run DIR [ROUNDS]   in a guest, as root: leaves in DIR/N what round N
#                                        recorded, and in DIR/N/said what it saw as it went on
#   rotation_guest.sh judge DIR          prints "FAULT right" or "FAULT wrong: ..." for each
set -euo pipefail
output=$(realpath "${OUTPUT:-.output}")
perfstamp=$output/perfstamp
tools=$output/tools
mounted=/tmp/recordings # on a disk of its own, which is remounted
# shellcheck source-path=SCRIPTDIR source=await.sh
. "$(dirname "$(readlink -f "$0")")/await.sh"
AWAIT_SECONDS=600

# ---- In the guest ----

say() {
	echo "$*" >>"$said"
}

uptime_s() {
	awk '{ print $1 }' /proc/uptime
}

newest() {
	find $mounted -name 'data.2*' | sort | tail -n 1
}

is_newer() {
	[ "$(newest)" != "$1" ]
}

# The next file; what was written up to here becomes the one in $file.
switch() {
	local was

	was=$(newest)
	kill -USR2 "$recorder"
	await is_newer "$was"
	file=$(basename "$(newest)")
}

# Whether what is written now has a record of this type with each of these.
has() {
	"$perfstamp" dump --json $mounted/data >/tmp/dump 2>/dev/null || true
	awk -v type="\"type\":\"$1\"" -v what="$2" -v more="${3-}" \
		'index($0, type) && index($0, what) && (more == "" || index($0, more)) { found = 1 } END { exit !found }' /tmp/dump
}

begin_recorder() {
	"$perfstamp" record -a -e cpu-clock -F 99 -m 4M --all-cgroups --switch-output \
		--metrics-socket 127.0.0.1:"$port" -o $mounted/data 2>"$log" &
	recorder=$!
	"$tools/worker" -t 1 1000000000 >/tmp/worker &
	worker=$!
	await test -s $mounted/data
	await has SAMPLE "\"pid\":$worker,"
	switch
	say "start $file"
}

is_read_only() {
	grep -q " $1 ext4 ro[, ]" /proc/mounts
}

# As the kernel does it in an emergency: a file that is being written holds off any other
# way. All disks are concerned, which may be written again afterwards.
fault_read_only() {
	local disk disks

	disks=(/ /out "$(tree_disk)" "$mounted")
	echo 1 >/proc/sys/kernel/sysrq
	echo u >/proc/sysrq-trigger
	for disk in "${disks[@]}"; do await is_read_only "$disk"; done
	await grep -q 'Read-only file system; recording continues without a file' "$log"
	for disk in "${disks[@]}"; do mount -o remount,rw "$disk"; done
	await grep -q 'can be written again: [0-9]* samples are in no file' "$log"
	await has SAMPLE "\"pid\":$worker,"
	switch
	say "read-only $file"
}

# The disk that this tree is on.
tree_disk() {
	stat -c %m .
}

# What runs there afterwards is recorded, its end, too.
fault_cpu() {
	local cpu=/sys/devices/system/cpu/cpu1/online pid

	echo 0 >$cpu
	await grep -q 'CPU 1 went off-line: it will be recorded again when it comes back' "$log"
	switch
	say "cpu-off $file"
	echo 1 >$cpu
	await grep -q 'CPU 1 was off-line and is recorded again' "$log"
	taskset -c 1 "$tools/worker" 1000000000 >/tmp/on-cpu &
	pid=$!
	await has SAMPLE "\"pid\":$pid," '"cpu":1'
	kill -KILL $pid
	wait $pid || true
	switch
	say "cpu-on $file $pid"
	await has SAMPLE "\"pid\":$worker,"
	switch
	say "cpu-next $file $pid"
}

fault_cgroup() {
	local cgroup=/sys/fs/cgroup/gone pid

	mkdir $cgroup
	"$tools/worker" 1000000000 >/tmp/in-cgroup &
	pid=$!
	echo $pid >$cgroup/cgroup.procs
	await has SAMPLE "\"pid\":$pid,"
	switch
	say "cgroup $file $pid"
	kill -KILL $pid
	wait $pid || true
	await rmdir $cgroup
	# It is looked for behind a switch.
	switch
	switch
	await has SAMPLE "\"pid\":$worker,"
	switch
	say "cgroup-gone $file $pid"
}

fault_clock() {
	date -s '1 hour ago' >/dev/null
	await has SAMPLE "\"pid\":$worker,"
	switch
	say "clock $file"
	switch
	say "clock-next $file"
}

# Whether the storm has mapped more than a ring of 1 MiB for each of two CPUs has room for, however
# slow the guest is: it sleeps after each 64 mappings, 200 bytes each.
has_overflowed() {
	local sleeps

	sleeps=$(awk '$1 == "voluntary_ctxt_switches:" { n += $2 } END { print n + 0 }' /proc/"$1"/task/*/status)
	[ "$sleeps" -ge 400 ]
}

# For 30 seconds at least, with more mappings than the ring has room for, and a process that begins.
fault_stopped() {
	local storm late

	kill -STOP "$recorder"
	say "stopped $(uptime_s)"
	"$tools/storm" &
	storm=$!
	"$tools/worker" 1000000000 >/tmp/late &
	late=$!
	sleep 30
	await has_overflowed $storm
	kill -KILL $storm
	say "went-on $(uptime_s)"
	kill -CONT "$recorder"
	await has MMAP2 "\"pid\":$late," '"snapshot":true'
	switch
	say "stop $file"
	await has SAMPLE "\"pid\":$late,"
	kill -KILL $late
	wait $late $storm || true
	switch
	say "stop-next $file"
}

# One that connects, and one that asks, too: none ever reads.
fault_reader() {
	exec 7<>/dev/tcp/127.0.0.1/"$port" 8<>/dev/tcp/127.0.0.1/"$port"
	printf 'GET /metrics HTTP/1.0\r\n\r\n' >&8
	switch
	await has SAMPLE "\"pid\":$worker,"
	switch
	say "reader $file"
	exec 9<>/dev/tcp/127.0.0.1/"$port"
	printf 'GET /metrics HTTP/1.0\r\n\r\n' >&9
	timeout 600 cat <&9 >"$dir/metrics"
	exec 7>&- 8>&- 9>&-
}

fault_killed() {
	await has SAMPLE "\"pid\":$worker,"
	kill -USR2 "$recorder"
	kill -KILL "$recorder"
	wait "$recorder" || true
	kill -KILL "$worker"
	wait "$worker" || true
}

run() {
	local n

	# Before that the kernel tells of no new cgroup, and all samples are of the root.
	echo +pids >/sys/fs/cgroup/cgroup.subtree_control
	modprobe loop
	busybox ifconfig lo up
	truncate -s 400M /tmp/disk
	# Blocks are found when they are written to, so that none is without when it must be.
	mkfs.ext4 -q /tmp/disk
	mkdir -p $mounted
	mount -o loop,nodelalloc /tmp/disk $mounted
	for ((n = 1; n <= ${2:-1}; n++)); do
		dir=$1/$n said=/tmp/said log=/tmp/log port=$((9122 + n))
		mkdir -p "$dir"
		rm -f $mounted/*data* $said
		begin_recorder
		for fault in read_only cgroup clock stopped reader cpu killed; do fault_$fault; done
		cp $said "$dir/said"
		cp $log "$dir/log"
		mv $mounted/*data* "$dir"
		date -s '1 hour' >/dev/null
	done
}

# ---- Of what it left ----

wrong() {
	echo "wrong: $round: $*"
}

# What the guest said of this fault.
said() {
	sed -n "s/^$1 //p" "$dir/said"
}

# A complete file: it opens in stock perf without a word, but of losses that it tells of,
# check has nothing else against it, and without a loss each sample in user space is in a
# mapping.
judge_file() {
	local name=$1 allowed='^$'

	if grep -q '^lost: ' "$dir/check"; then allowed='^$|^Warning:$|Processed [0-9]* events and lost [0-9]* chunks|Check IO/CPU overload'; fi
	scripts/perf newest script -i "$dir/$name" -F comm,pid,ip,dso >"$dir/script" 2>"$dir/script.err" ||
		wrong "$name: perf script fails"
	if grep -vE "$allowed" "$dir/script.err"; then wrong "$name: perf has words"; fi
	if grep '^wrong: ' "$dir/check" | grep -v '^wrong: lost-records'; then wrong "$name: see check"; fi
	if [ "$allowed" = '^$' ] &&
		grep -E ' ([0-9a-e][0-9a-f]{15}|[0-9a-f]{1,15}) \(\[unknown\]\)$' "$dir/script"; then
		wrong "$name: samples in no mapping"
	fi
}

judge_files() {
	local file name first newest last=0 left='' rest=0

	for file in "$dir"/data.2*; do
		name=$(basename "$file")
		"$perfstamp" check "$file" >"$dir/check" || true
		if grep -q '^wrong: unfinished' "$dir/check"; then
			# What was written when no more could be is as good as after a kill.
			scripts/perf newest script -i "$file" >/dev/null 2>&1 || wrong "$name cannot be opened"
			left=$name
		else
			judge_file "$name"
		fi
		"$perfstamp" dump --json "$file" >"$dir/dump" 2>/dev/null || true
		read -r first newest < <(awk 'index($0, "\"type\":\"SAMPLE\"") && match($0, /"time_ns":[0-9]+/) {
				t = substr($0, RSTART + 10, RLENGTH - 10) / 1e9
				if (!a || t < a) a = t
				if (t > b) b = t
			} END { printf "%.9f %.9f\n", a, b }' "$dir/dump")
		awk -v a="$first" -v b="$last" 'BEGIN { exit !(a > b) }' || wrong "$name begins before the end of the one before"
		last=$newest
		# In all others there is room, and all CPUs.
		if grep '^lost: ' "$dir/check" | grep -v '^lost: cpu-off-line: ' && [ "$name" != "$(said stop)" ]; then rest=1; fi
		if grep '^lost: cpu-off-line: ' "$dir/check" && [ "$name" != "$(said cpu-on | cut -d ' ' -f 1)" ]; then rest=1; fi
	done
	[ $rest -eq 0 ] || wrong "losses where there was room"
	[ -n "$left" ] || wrong "what was written before the disk was read-only has gone"
	[[ "$left" < "$(said read-only)" ]] || wrong "$left is unfinished"
}

# Whether the file has a record with each of these.
in_file() {
	"$perfstamp" dump --json "$dir/$1" >"$dir/dump"
	awk -v type="\"type\":\"$2\"" -v what="$3" 'index($0, type) && index($0, what) { found = 1 } END { exit !found }' "$dir/dump"
}

logged() {
	grep -q -- "$1" "$dir/log" || wrong "the log has no \"$1\""
}

judge_faults() {
	local pid spans kind

	logged 'Read-only file system; recording continues without a file'
	logged 'data can be written again: [0-9]* samples are in no file'
	logged 'CPU 1 went off-line'
	# What it did till it was recorded again is a loss, and afterwards nothing is.
	read -r file pid < <(said cpu-on)
	"$perfstamp" check "$dir/$file" >"$dir/check" || true
	grep -q '^lost: cpu-off-line: 1 between ' "$dir/check" || wrong "no loss of a CPU that was off-line"
	for kind in FORK MMAP2 EXIT; do
		in_file "$file" "$kind" "\"pid\":$pid," || wrong "no $kind of what began on the CPU that is back"
	done
	read -r file pid < <(said cpu-next)
	for kind in SAMPLE MMAP2 COMM; do
		if in_file "$file" "$kind" "\"pid\":$pid,"; then wrong "what ended on the CPU that is back is still there"; fi
	done
	read -r file pid < <(said cgroup)
	in_file "$file" CGROUP '"path":"/gone"' || wrong "the cgroup is in no file"
	read -r file pid < <(said cgroup-gone)
	if in_file "$file" CGROUP '"path":"/gone"'; then wrong "the cgroup is still there"; fi
	if in_file "$file" MMAP2 "\"pid\":$pid,"; then wrong "the cgroup's process is still there"; fi
	# Set back by an hour, and yet the names are in order: judge_files looks at their times.
	[[ $(said clock) > $(said cgroup-gone) ]] || wrong "a name of before"
	# What the stop lost is told, with its time, in its file and in the log.
	"$perfstamp" check "$dir/$(said stop)" >"$dir/check" || true
	spans=$(sed -n 's/^lost: ring-full: [0-9]* between \([0-9.]*\) and \([0-9.]*\)$/\1 \2/p' "$dir/check")
	awk -v stopped="$(said stopped)" -v went_on="$(said went-on)" \
		'$1 <= went_on && $2 >= stopped { found = 1 } END { exit !found }' <<<"$spans" || wrong "no loss while it stood still: $spans"
	logged 'lost since the last switch: [1-9][0-9]* map records'
	grep -q '^perfstamp_' "$dir/metrics" || wrong "no metrics behind who does not read"
	# The kill: what was complete is, and what was being written can be read.
	for file in "$dir"/data "$dir"/.data.next; do
		[ -s "$file" ] || continue
		[ "$(basename "$file")" = .data.next ] || scripts/perf newest script -i "$file" >/dev/null 2>&1 || wrong "$file cannot be opened"
	done
}

judge() {
	local round dir file

	for dir in "$1"/[0-9]*; do
		round=$(basename "$dir")
		judge_files
		judge_faults
		echo "round $round: $(find "$dir" -name 'data.2*' | wc -l) files"
	done
}

"$@"
