#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest with the kernel of kernel-patch/ that checks itself, as root, at the tree's
# root: kernel_storm.sh storm|files DIR leaves in DIR what tests/kernel/storm.bats judges. All
# is a fixed amount of work, and ROUNDS and RELOADS of the storm, and FILES, in the environment
# make it less.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh
part=$1
out=$2
export ROUNDS=${ROUNDS:-1500} RELOADS=${RELOADS:-300} FILES=${FILES:-100000}
kmemleak=/sys/kernel/debug/kmemleak

# The identities that are kept now, without those that KASAN holds back or RCU will free.
kept() {
	local _

	for _ in 1 2 3; do
		echo 1 >/sys/kernel/slab/file_identity/shrink
		sleep 1
	done
	awk '$1 == "file_identity" { print $2 }' /proc/slabinfo
}

# leaks FILE: what nothing points to. It has to be five seconds old, and seen twice.
leaks() {
	sleep 6
	echo scan >"$kmemleak"
	echo scan >"$kmemleak"
	cat "$kmemleak" >"$1"
}

passed() {
	echo "$1: $(($(date +%s) - begin)) s" >>"$out/times"
	begin=$(date +%s)
}

reload() {
	local n

	"$tools/reload" "$RELOADS" dummy "$(modinfo -n dummy)"
	# Its init function says no.
	for ((n = 0; n < RELOADS / 10; n++)); do
		if modprobe test_vmalloc run_test_mask=0 nr_threads=1 2>/dev/null; then exit 1; fi
	done
}

# Executed, mapped and rewritten where identities are kept, where not, and above both.
churn() {
	local reloader

	reload >>"$out/reload" &
	reloader=$!
	"$tools/churn" rounds "$ROUNDS" /out/churn /tmp/churn /tmp/merged >"$out/done"
	wait "$reloader"
}

# What is told of it is told by perfstamp, too.
storm() {
	modprobe overlay
	mkdir -p /out/{churn,lower,upper,work} /tmp/{churn,merged}
	cp "$tools/churn" /out/lower/0
	mount -t overlay -o lowerdir=/out/lower,upperdir=/out/upper,workdir=/out/work overlay /tmp/merged
	"$perfstamp" record -v -a -e cpu-clock -F 99 -m 4M -o /tmp/data -- \
		bash -c "set -euo pipefail; out=$out tools=$tools; $(declare -f reload churn); churn" \
		2>"$out/said"
	"$perfstamp" check /tmp/data >"$out/checked" || echo "status $?" >>"$out/checked"
	"$perfstamp" list --modules --json /tmp/data | grep -c '"dummy"' >"$out/modules" || true
	umount /tmp/merged
}

# Each once: more than are kept.
files() {
	local last="$(((FILES - 1) / 1000))/$(((FILES - 1) % 1000))"

	mkdir /out/files
	"$perfstamp" record -a -e cpu-clock -F 99 -m 4M -o /tmp/data -- \
		"$tools/churn" files "$FILES" /out/files >"$out/done" 2>"$out/said"
	kept >"$out/kept"
	# What has been mapped last is kept, what has been mapped first no more.
	"$perfstamp" record -q -o /tmp/data -- "$tools/mapper" \
		"mmap:/out/files/0/0" "mmap:/out/files/$last" </dev/null
	"$perfstamp" dump --json /tmp/data | jq -r 'select(.type == "MMAP2" and (.path // "" |
		startswith("/out/files/"))) | .source' >"$out/sources"
}

begin=$(date +%s)
: >"$out/times"
leaks "$out/leaks.before"
echo clear >"$kmemleak"
passed begin
"$part"
passed "$part"
sync
echo 3 >/proc/sys/vm/drop_caches
kept >"$out/kept.dropped"
passed drop
leaks "$out/leaks"
passed leaks
grep debug_locks: /proc/lockdep_stats >"$out/lockdep"
dmesg >"$out/dmesg"

# It finds what is leaked.
modprobe kmemleak-test
rmmod kmemleak-test
leaks "$out/leaks.control"
passed control
