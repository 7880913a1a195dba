#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest, as root, at the tree's root: watches the whole machine while modules and
# programs come and go, and leaves what watch wrote in /out; tests/guest/watch.bats judges.
set -eu
cd "$(dirname "$(readlink -f "$0")")/../.."
output=$(realpath "${OUTPUT:-.output}")
work=$(mktemp -d)
# shellcheck source-path=SCRIPTDIR source=await.sh
. tests/lib/await.sh
AWAIT_SECONDS=600

# watch NAME OPTION...: in the background, its pid in $pid, when it watches.
watch() {
	local name=$1
	shift
	"$output/perfstamp" watch --json --rate 0 "$@" >"/out/$name.json" 2>"/out/$name.said" &
	pid=$!
	await grep -qF 'existing mappings of' "/out/$name.said"
}

finish() {
	kill -INT "$pid"
	wait "$pid" || echo "status $?"
}

cgroups=$work/cgroups
mkdir "$cgroups"
mount -t cgroup2 none "$cgroups"
mkdir "$cgroups/one" "$cgroups/one/below" "$cgroups/other"
for name in one below other; do cp "$output/tools/swapped-1" "$work/in-$name"; done
readelf -n "$work/in-one" | awk '/Build ID/ { print $3 }' >/out/build_id

# What the last argument is tells that all before it was seen.
in_cgroup() {
	bash -c 'echo $$ >"$1/cgroup.procs"; exec "$2" 1' - "$cgroups/$1" "$2"
}

watch all -a --existing
modprobe dummy
rmmod dummy
in_cgroup other "$work/in-other"
await grep -qF "$work/in-other" /out/all.json
finish

watch some -G /one
in_cgroup other "$work/in-other"
in_cgroup one "$work/in-one"
in_cgroup one/below "$work/in-below"
await grep -qF "$work/in-below" /out/some.json
finish
modinfo -n dummy >/out/dummy
