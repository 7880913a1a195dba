#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest, as root, at the tree's root: files are rewritten just after they were
# mapped, TRIES of each kind. Prints what was recorded of them, a line each;
# tests/guest/late-write.bats judges them.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh

dir=/var/tmp/late
mkdir -p "$dir/files"
"$tools/elf_gen" plain 0a0b0c0d0e0f "$dir/plain.a" plain 0f0e0d0c0b0a "$dir/plain.b" \
	other-endian 0a0b0c0d0e0f "$dir/other-endian.a" \
	other-endian 0f0e0d0c0b0a "$dir/other-endian.b"

# late_write KIND MODE [OPTION...]
late_write() {
	local kind=$1 mode=$2
	shift 2
	timeout 900 "$perfstamp" record -v -e cpu-clock -F 99 --map-ring-size 4M -o "$dir/data" "$@" -- \
		"$tools/late_write" "$mode" "$dir/$kind.a" "$dir/$kind.b" "${TRIES:-200}" "$dir/files" 2>"$dir/said" ||
		sed 's/^/# /' "$dir/said"
	"$perfstamp" dump --json "$dir/data" | jq -r --arg dir "$dir/files/" 'select(.type == "MMAP2" and
		(.path | startswith($dir))) | .build_id // .reason' | sort | uniq -c |
		awk -v name="$kind-$mode${1:+-mmap2}" -v rung="$(sed -n 's/.* rung \([^;]*\);.*/\1/p' "$dir/said")" '
			{ n += $1; of[$2] = $1 }
			END { print name ": rung=" rung, "n=" n + 0, "first=" of["0a0b0c0d0e0f"] + 0,
				"second=" of["0f0e0d0c0b0a"] + 0, "changing=" of["changing"] + 0 }'
}

late_write plain warm
late_write plain cold
late_write other-endian warm
late_write other-endian warm --rung MMAP2
