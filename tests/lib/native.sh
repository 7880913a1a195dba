#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest whose kernel has records of its own that tell identities, as root, at the
# tree's root: native.sh DIR leaves in DIR what tests/kernel/native.bats judges.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh
out=$1

# What is mapped, loaded and unloaded while it is recorded, and what the recorder has open.
workload() {
	local recorder=$PPID

	ls -l "/proc/$recorder/fd" >"$out/fds"
	rmmod dummy
	modprobe dummy
	rmmod dummy
	"$tools/worker" -t 1 -c 500
}

status=0
"$perfstamp" doctor >"$out/doctor" || status=$?
echo "status $status" >>"$out/doctor"

modprobe dummy
grep '^dummy ' /proc/modules >"$out/before"
"$perfstamp" record -v -a -e cpu-clock -F 999 -m 4M -o "$out/data" -- \
	bash -c "set -euo pipefail; out=$out tools=$tools; $(declare -f workload); workload" \
	2>"$out/said"
cp "$tools/worker" "$out"

# Who has no privileges, and so no BPF.
mkdir -m 777 /tmp/nobody
cp "$perfstamp" "$tools/worker" /tmp/nobody
cd /tmp/nobody
setpriv --reuid 65534 --regid 65534 --clear-groups \
	./perfstamp record -v -e cpu-clock -F 999 -o data -- ./worker -t 1 -c 200 2>"$out/nobody.said"
cp data "$out/nobody.data"
