#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest, as root, at the tree's root: flood_guest.sh [TIMES [MAPS [STORM...]]] records the whole
# machine while 1,000 processes map MAPS times at full speed (50,000), and TIMES cgroups and mounts
# come and go (100,000), or only during these storms (maps, cgroups, mounts). Prints what there was
# and what was recorded by lines of "NAME: VALUE".
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh
AWAIT_SECONDS=600
times=${1:-100000} maps=${2:-50000}
top=/sys/fs/cgroup
ulimit -u unlimited
mkdir -p "$top/flood.service" "$top/quiet.service" /tmp/flood /tmp/mounted
cp "$tools/flood" /tmp/flood/mapped
cp "$tools/brief" /tmp/victim
await is_no_longer_young /tmp/victim

is_recording() {
	"$perfstamp" dump --json /out/data 2>/dev/null | grep '"type":"MMAP2"' >/dev/null
}

# in_cgroup CGROUP COMMAND...
in_cgroup() {
	echo "$BASHPID" >"$top/$1/cgroup.procs"
	exec "${@:2}"
}

# Runs the victim in another cgroup, again and again, until it is killed.
victims() {
	while :; do (in_cgroup quiet.service /tmp/victim) && echo; done
}

# The highest that it took since the start, and what it takes now.
weigh() {
	echo "$1 KiB: $(awk '/^(VmHWM|VmRSS)/ { printf "%s ", $2 }' "/proc/$recorder/status")"
}

/tmp/victim
"$perfstamp" record -v -a --all-cgroups -e cpu-clock -F 49 -m 256K --map-ring-size 1M --switch-output \
	-o /out/data 2>/out/record.err &
recorder=$!
await is_recording
weigh start
storms=("${@:3}")
[ "${#storms[@]}" -gt 0 ] || storms=(maps cgroups mounts)
declare -A arguments=([maps]="1000 $maps" [cgroups]="$times $top/flood.service"
	[mounts]="$times /tmp/mounted /tmp/flood/mapped")
for what in "${storms[@]}"; do
	begin=$EPOCHSECONDS
	victims >/out/victims &
	victims=$!
	# shellcheck disable=SC2086 # its words
	echo "$what: $(in_cgroup flood.service "$tools/flood" "$what" ${arguments[$what]})"
	echo "$what seconds: $((EPOCHSECONDS - begin))"
	kill $victims
	wait $victims || true
	weigh "$what"
	echo "victims: $(wc -l </out/victims)"
done
kill -0 "$recorder"
kill -INT "$recorder"
status=0
wait "$recorder" || status=$?
echo "record: $status"
sed 's/^/# /' /out/record.err
data=$(find /out -name 'data.2*')
"$perfstamp" dump --json "$data" | grep '"type":"MMAP2"' | grep -vF '"snapshot":true' >/tmp/maps || true
echo "recorded: $(grep -cE '"path":"[^"]*/(flood|mapped)"' /tmp/maps || true)"
echo "recorded victims: $(grep -cF '"path":"/tmp/victim"' /tmp/maps || true)"
"$perfstamp" check "$data" >/tmp/checked || true
grep '^lost' /tmp/checked || true
echo "bytes: $(stat -c %s "$data")"
rm -f /out/*
