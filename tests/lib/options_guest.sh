#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest, as root, at the tree's root: records the whole machine, confined to
# cgroups or by filters, and runs perf's own test of what is told of other CPUs. Leaves the
# recordings in /out, with the numbers of the processes; tests/guest/options.bats judges.
set -u
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
OUTPUT=$(realpath "${OUTPUT:-.output}")
PERFSTAMP_ROOT=$PWD
export OUTPUT PERFSTAMP_ROOT
work=$(mktemp -d)

# record NAME OPTION...: mappings are not what this is about, and programs for them take
# long to load here. It lasts as long as one takes that works beside the others.
record() {
	local name=$1
	shift
	"$OUTPUT/perfstamp" record -q -a -F 200 -m 8M --rung MMAP2 "$@" -o "/out/$name" -- \
		nice -n 19 "$work/a_while" 1500 >/dev/null
	echo "$name: $?"
}

# worker CGROUP: one that leaves the CPU to the recorder.
worker() {
	bash -c 'echo $$ >"$1/cgroup.procs"; exec nice -n 19 "$2" 60000000' - "$1" "$OUTPUT/tools/worker" >/dev/null &
}

cp "$OUTPUT/tools/worker" "$work/a_while"
cgroups=$work/cgroups
mkdir "$cgroups"
mount -t cgroup2 none "$cgroups"
echo +pids >"$cgroups/cgroup.subtree_control"
mkdir "$cgroups/first" "$cgroups/second"
worker "$cgroups/first"
first=$!
worker "$cgroups/second"
second=$!
echo "$first first" >/out/names
echo "$second second" >>/out/names
record one -e cpu-clock -G first
record two -e cpu-clock,task-clock -G first,second
record later -e cpu-clock,task-clock -G ,second
record pid -e cpu-clock --filter "pid == $second"
record name -e cpu-clock --filter "comm == worker, pid != $second"
record cgroup -e cpu-clock --all-cgroups --filter "cgroup == /second"
kill "$first" "$second"

mkdir "$work/bin"
ln -s "$PWD/tests/lib/perf_shim.sh" "$work/bin/perf"
PATH=$work/bin:$PATH bash "$(scripts/perf --dir newest)/tree/usr/lib/perf-core/tests/shell/record_sideband.sh" \
	>/out/sideband 2>&1
echo "sideband: $?"
