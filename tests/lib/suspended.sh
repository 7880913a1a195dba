#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What suspended.bats asks of one guest, in which it runs as root at the tree's
# root: a recording of the whole machine, which is suspended to memory (S3) for a while, in
# which all its CPUs but one go off-line and the clock stands still. Leaves the recording in
# /out, and says what it saw by lines of "NAME: VALUE".
set -u
tools=$(realpath "${OUTPUT:-.output}/tools")
perfstamp=$(realpath "${OUTPUT:-.output}/perfstamp")
# shellcheck source-path=SCRIPTDIR source=await.sh
. "$(dirname "$(readlink -f "$0")")/await.sh"
AWAIT_SECONDS=600
wake=/sys/class/rtc/rtc0/wakealarm

say() {
	printf '%s: %s\n' "$1" "$2"
}

# CLOCK_MONOTONIC, in ns.
now_ns() {
	awk '/^now at/ { print $3; exit }' /proc/timer_list
}

# Whether there are samples of process PID that are later than NS.
is_sampled_after() {
	"$perfstamp" dump --json /out/data 2>/dev/null | grep '"type":"SAMPLE"' | grep "\"pid\":$1," |
		sed 's/.*"time_ns":\([0-9]*\).*/\1/' | awk -v ns="$2" '$1 > ns { n++ } END { exit n < 20 }'
}

# Whether the end of process PID has been told.
has_ended() {
	"$perfstamp" dump --json /out/data 2>/dev/null | grep '"type":"EXIT"' | grep -q "\"pid\":$1,"
}

"$perfstamp" record -a -e cpu-clock -F 99 -m 8M --map-ring-size 8M -o /out/data 2>/out/record.err &
recorder=$!
taskset -c 0 "$tools/worker" 1000000000 >/dev/null &
first=$!
taskset -c 1 "$tools/worker" 1000000000 >/dev/null &
second=$!
await is_sampled_after "$first" 0
await is_sampled_after "$second" 0
say first "$first"
say second "$second"
# Long enough for the slowest machine to be suspended by then: nothing else would wake it.
echo +60 >"$wake"
say suspended "$(echo mem >/sys/power/state && echo 0)"
resumed=$(now_ns)
say resumed "$resumed"
await is_sampled_after "$first" "$resumed"
await is_sampled_after "$second" "$resumed"
# A program that ends at once, on the CPU that was off-line.
cp "$tools/brief" /tmp/afterwards
taskset -c 1 /tmp/afterwards &
brief=$!
wait "$brief"
say brief "$brief"
await has_ended "$brief"
kill "$first" "$second"
kill -INT "$recorder"
wait "$recorder"
say record "$?"
say end "$(now_ns)"
"$perfstamp" check /out/data >/out/check
say check "$?"
scripts/perf newest script -i /out/data >/dev/null 2>/out/script.err
say script "$?"
