#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest, as root, at the tree's root: records the whole machine while one container, also
# in cgroups below its own, maps more than the ring of map records has room for, and another one
# runs a few programs. The recorder stands still meanwhile, so that nothing is read. Leaves the
# recording in /out, and says what there was by lines of "NAME: VALUE".
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh
AWAIT_SECONDS=120
top=/sys/fs/cgroup
rung=$1
runs=20

# in_cgroup CGROUP COMMAND...
in_cgroup() {
	echo "$BASHPID" >"$top/$1/cgroup.procs"
	exec "${@:2}"
}

is_recording() {
	"$perfstamp" dump --json /out/data 2>/dev/null | grep '"type":"MMAP2"' >/dev/null
}

# Whether so much of the ring was asked for that a flood has not had room: map records that the
# kernel side counts for these cgroups.
has_lost() {
	local id

	for id in $(bpftool map show -j | jq '.[] | select(.name == "lost_by_cgroup").id'); do
		bpftool map dump id "$id" -j | jq -e '[.[].formatted | select(.key == '"$(stat -c %i "$top/$1")"').value] | add > 100' && return
	done
	return 1
}

# How many identities the kernel side knows.
stashed() {
	bpftool map dump name stash -j | jq length
}

mkdir -p "$top/flood.slice/container/below/further" "$top/quiet.slice/container"
cp "$tools/brief" /tmp/victim
await is_no_longer_young /tmp/victim
/tmp/victim
"$perfstamp" record -v -a -e dummy -m 1M --map-ring-size 256K --rung "$rung" -o /out/data 2>/out/record.err &
recorder=$!
await is_recording
# What each adds to the stash by 600 new files.
mkdir -p /var/tmp/many/{flood,quiet}
for owner in flood quiet; do
	specs=()
	for ((i = 0; i < 600; i++)); do
		printf -v id '%08x' "$i"{,,,,}
		specs+=(plain "$id" "/var/tmp/many/$owner/$i")
	done
	"$tools/elf_gen" "${specs[@]}"
done
await is_no_longer_young /var/tmp/many/quiet/599
n=$(stashed)
# shellcheck disable=SC2046 # several
(in_cgroup flood.slice/container/below/further "$tools/mapper" -r 1 -t 1 $(printf 'mmap:%s ' /var/tmp/many/flood/*) >/dev/null)
m=$(stashed)
# shellcheck disable=SC2046 # several
(in_cgroup quiet.slice/container "$tools/mapper" -r 1 -t 1 $(printf 'mmap:%s ' /var/tmp/many/quiet/*) >/dev/null)
echo "flood stashed: $((m - n))"
echo "quiet stashed: $(($(stashed) - m))"
kill -STOP "$recorder"
floods=()
for cgroup in container container/below container/below/further; do
	in_cgroup "flood.slice/$cgroup" "$tools/storm" &
	floods+=($!)
done
for cgroup in container container/below container/below/further; do
	await has_lost "flood.slice/$cgroup" >/dev/null
done
for ((i = 0; i < runs; i++)); do
	(in_cgroup quiet.slice/container /tmp/victim)
done
kill -CONT "$recorder"
kill "${floods[@]}"
wait "${floods[@]}" || true
kill -INT "$recorder"
status=0
wait "$recorder" || status=$?
echo "record: $status"
echo "rung: $(sed -n 's/.* rung \([^;]*\);.*/\1/p' /out/record.err | head -n 1)"
echo "runs: $runs"
echo "recorded: $("$perfstamp" dump --json /out/data | grep '"type":"MMAP2"' | grep -F '"path":"/tmp/victim"' |
	grep -vcF '"snapshot":true' || true)"
"$perfstamp" check /out/data | grep '^lost' || true
