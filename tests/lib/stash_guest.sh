#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest, as root, at the tree's root: files are rewritten while they are mapped,
# and have their pages dropped, their inodes too. Prints what was recorded of them, a line
# each; tests/guest/stash.bats judges them.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh
# shellcheck source-path=SCRIPTDIR source=stash.sh
. tests/lib/stash.sh
trap identity__let_go EXIT
export AWAIT_SECONDS=900

dir=/var/tmp/stash out=/tmp/out
hows=(pwrite mmap rename truncate utimes reuse)
mkdir -p "$out"
stash__contents "$dir"

# record FILE COMMAND: records the whole machine while the command runs.
record() {
	timeout 900 "$perfstamp" record -v -a -e cpu-clock -F 99 -m 4M --map-ring-size 16M -o "$1" -- \
		bash -c "set -euo pipefail; . tests/lib/identity.sh; . tests/lib/stash.sh
			drop_all() { \"\$tools/drop_pages\" \"\$@\"; sync; echo 3 >/proc/sys/vm/drop_caches; }
			$2" 2>"$out/said" ||
		sed 's/^/# /' "$out/said"
	sed -n 's/.* rung \([^;]*\);.*/rung: \1/p' "$out/said"
}

record "$out/race" "stash__rewrite -r $dir 8 ${hows[*]}"
stash__judge "$out/race" "$dir" "${hows[@]}"
record "$out/gone" "stash__evict $dir $out/gone drop_all"
for name in known changed once; do
	echo "$name: $(stash__last "$out/gone" "$dir/$name")"
done
