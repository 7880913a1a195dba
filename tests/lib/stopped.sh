#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What tests/guest/stopped.bats asks of one guest, in which it runs as root at the tree's
# root: a recording of the whole machine whose recorder stands still for 30 seconds, while
# the machine is busy, a BPF program goes and one comes, and a process begins. Leaves the recording
# in /out, and says what it saw by lines of "NAME: VALUE".
set -u
tools=$(realpath "${OUTPUT:-.output}/tools")
perfstamp=$(realpath "${OUTPUT:-.output}/perfstamp")
work=$(mktemp -d)
# shellcheck source-path=SCRIPTDIR source=await.sh
. "$(dirname "$(readlink -f "$0")")/await.sh"
AWAIT_SECONDS=600

say() {
	printf '%s: %s\n' "$1" "$2"
}

# By the header's data.size.
has_records() {
	[ -s "$1" ] && [ "$(od -An -t u8 -j 48 -N 8 "$1" | tr -d ' ')" -gt 8 ]
}

# Whether the recording has a record of this type that holds these.
has() {
	"$perfstamp" dump --json /out/data 2>/dev/null | grep "\"type\":\"$1\"" | grep -e "$2" |
		grep -q -e "${3-}"
}

# Whether there are some samples of the process behind its last mapping.
has_worked() {
	"$perfstamp" dump --json /out/data 2>/dev/null | grep -E '"type":"(SAMPLE|MMAP2)"' |
		grep "\"pid\":$1," | awk '/"type":"MMAP2"/ { n = -1 } { n++ } END { exit n < 50 }'
}

# Whole seconds that process PID has been on a CPU, and whether these are so many.
cpu_s() {
	awk -v hz="$(getconf CLK_TCK)" '{ print int(($14 + $15) / hz) }' "/proc/$1/stat"
}

has_used() {
	[ "$(cpu_s "$1")" -ge "$2" ]
}

has_no_program() {
	! bpftool prog show id "$1" >/dev/null 2>&1
}

mountpoint -q /sys/fs/bpf || mount -t bpf none /sys/fs/bpf
bpftool prog load "${OUTPUT:-.output}/sample_filter.bpf.o" /sys/fs/bpf/before
"$perfstamp" record -a -e cpu-clock -F 99 -m 1 --map-ring-size 4096 -o /out/data 2>/out/record.err &
recorder=$!
await has_records /out/data
"$tools/worker" -t 1 1000000 >/dev/null &
busy=$!
await has SAMPLE "\"pid\":$busy,"
kill -STOP "$recorder"
say stopped "$(awk '{ print $1 }' /proc/uptime)"
# By then the rings are full, and what goes and comes is not told: a page takes a second of it.
before=$(cpu_s "$busy")
sleep 10
await has_used "$busy" $((before + 8))
# The one that comes does so first: else it may get the other one's place, and be the same.
bpftool prog load "${OUTPUT:-.output}/sample_filter.bpf.o" /sys/fs/bpf/during
gone=$(bpftool -j prog show pinned /sys/fs/bpf/before | jq .id)
rm /sys/fs/bpf/before
await has_no_program "$gone"
"$tools/worker" 1000000 >"$work/worker" &
worker=$!
await grep -q ready "$work/worker"
sleep 20
say went-on "$(awk '{ print $1 }' /proc/uptime)"
kill -CONT "$recorder"
kill "$busy"
await has MMAP2 "\"pid\":$worker," '"snapshot":true'
await has KSYMBOL '_filter_sample"' '"unregister":true'
await has_worked "$worker"
say worker "$worker"
kill -INT "$recorder"
wait "$recorder"
say record "$?"
"$perfstamp" check /out/data >/out/check
say check "$?"
# Before its mappings were told again its samples are lost, or of nobody.
told=$("$perfstamp" dump --json /out/data | grep '"type":"MMAP2"' | grep "\"pid\":$worker," |
	sed 's/.*"time_ns":\([0-9]*\).*/\1/' | sort -n | tail -n 1)
scripts/perf newest script -i /out/data --pid "$worker" -F ip,sym \
	--time "$(awk -v ns="$told" 'BEGIN { printf "%.6f", ns / 1e9 + 0.001 }')," >/out/script 2>/out/script.err
say script "$?"
