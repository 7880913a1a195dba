#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest whose kernel has records of its own that tell identities, as root, at the
# tree's root: native.sh DIR leaves in DIR what tests/kernel/native.bats judges.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh
# shellcheck source-path=SCRIPTDIR source=await.sh
. tests/lib/await.sh
AWAIT_SECONDS=120
out=$1

# What is mapped, loaded and unloaded while it is recorded, and what the recorder has open.
workload() {
	local recorder=$PPID

	ls -l "/proc/$recorder/fd" >"$out/fds"
	rmmod dummy
	modprobe dummy
	rmmod dummy
	contained
	"$tools/worker" -t 1 -c 500
}

# Each in a mount namespace of its own, and over before anybody asks /proc.
contained() {
	mkdir /sys/fs/cgroup/contained
	stat -c %i /sys/fs/cgroup/contained >"$out/cgroup"
	stat -L -c %i /proc/self/ns/mnt >"$out/mnt_ns"
	cp "$tools/churn" /tmp/contained
	(
		echo "$BASHPID" >/sys/fs/cgroup/contained/cgroup.procs
		for _ in {1..10}; do unshare -m /tmp/contained nothing; done
	)
}

status=0
"$perfstamp" doctor >"$out/doctor" || status=$?
echo "status $status" >>"$out/doctor"

modprobe dummy
grep '^dummy ' /proc/modules >"$out/before"
"$perfstamp" record -v -a -e cpu-clock -F 999 -m 4M -o "$out/data" -- \
	bash -c "set -euo pipefail; out=$out tools=$tools; $(declare -f workload contained); workload" \
	2>"$out/said"
cp "$tools/worker" "$out"

# What runs on a CPU that comes, and once more after it was off-line, and the modules that are
# loaded there.
on_cpu() {
	# The events of modules are looked at once a second.
	sleep 3
	taskset -c 1 modprobe dummy
	taskset -c 1 rmmod dummy
	taskset -c 1 "$tools/worker" -t 1 -c 500 >"$out/cpu.worker"
}

echo 0 >/sys/devices/system/cpu/cpu1/online
"$perfstamp" record -v -a -e cpu-clock -F 99 -m 4M -o "$out/cpu.data" 2>"$out/cpu.said" &
recorder=$!
await test -s "$out/cpu.data"
echo 1 >/sys/devices/system/cpu/cpu1/online
await grep -q 'CPU 1 came on-line' "$out/cpu.said"
on_cpu
echo 0 >/sys/devices/system/cpu/cpu1/online
await grep -q 'CPU 1 went off-line' "$out/cpu.said"
echo 1 >/sys/devices/system/cpu/cpu1/online
await grep -q 'CPU 1 was off-line' "$out/cpu.said"
on_cpu
kill -INT $recorder
wait $recorder

# Recorders that know nothing of these records get what they always got.
for version in 6.1 6.12 newest; do
	scripts/perf "$version" record -a -e cpu-clock -F 999 --buildid-mmap -o /tmp/stock.data -- \
		"$tools/worker" -t 1 -c 200 2>"$out/stock-$version.said"
	scripts/perf "$version" script --show-mmap-events -F comm,ip,dso -i /tmp/stock.data \
		>"$out/stock-$version.script" 2>"$out/stock-$version.errors"
done

# Who has no privileges, and so no BPF.
mkdir -m 777 /tmp/nobody
cp "$perfstamp" "$tools/worker" /tmp/nobody
cd /tmp/nobody
setpriv --reuid 65534 --regid 65534 --clear-groups \
	./perfstamp record -v -e cpu-clock -F 999 -o data -- ./worker -t 1 -c 200 2>"$out/nobody.said"
cp data "$out/nobody.data"
