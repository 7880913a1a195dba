#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# verifier.sh [KERNEL...]: prints the table of docs/verifier.md: what the verifier of each of the guests'
# kernels processed for each BPF program, with the size of its log. Fails if one is over half of
# the kernel's limit of 1,000,000 instructions, or 5.10, 6.1, 6.12 or newest loaded none.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
kernels=("$@")
[ "$#" -gt 0 ] || kernels=(5.10 6.1 6.12 newest)
limit=500000
all=$(mktemp)
trap 'rm -f "$all"' EXIT

for kernel in "${kernels[@]}"; do
	scripts/guest "$kernel" -- bash tests/lib/verifier_guest.sh | sed -n "s/^program /$kernel /p" >>"$all"
	grep -q "^$kernel " "$all" || { echo "$kernel: no program was loaded" >&2 && exit 1; }
done
awk -v kernels="${kernels[*]}" -v limit="$limit" '
	{ got[$2, $1] = sprintf("%d / %d / %d / %d", $4, $5, $6, $7); names[$2]; if ($4 > limit || !$4) bad = bad " " $2 }
	END {
		n = split(kernels, kernel, " ")
		printf "| program |"
		for (i = 1; i <= n; i++) printf " %s |", kernel[i]
		printf "\n|---|"
		for (i = 1; i <= n; i++) printf "---|"
		print ""
		for (name in names) {
			line = "| `" name "` |"
			for (i = 1; i <= n; i++)
				line = line " " ((name, kernel[i]) in got ? got[name, kernel[i]] : "") " |"
			print line | "sort"
		}
		close("sort")
		if (bad) { print "over the limit, or not known:" bad >"/dev/stderr"; exit 1 }
	}' "$all"
