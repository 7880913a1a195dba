#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# reexec.sh SECONDS [OPTION...]: records, with these options, processes that execute two
# programs by turns as fast as they can, with a ring for mappings that is too small, so that
# snapshots are taken meanwhile. Prints one line "reexec: COUNTS", and first what was wrong:
# a mapping of the one program in a snapshot, while the process ran the other. Runs at the
# tree's root, as root; each recording is in a directory of its own, and gone afterwards.
set -euo pipefail

tools=$(realpath "${OUTPUT:-.output}/tools")
perfstamp=$(realpath "${OUTPUT:-.output}/perfstamp")
seconds=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for copy in a b; do cp "$tools/reexec" "$dir/reexec-$copy"; done

status=0
# shellcheck disable=SC2016 # what that shell is to expand
"$perfstamp" record -e dummy -m 2048 --map-ring-size 4096 -o "$dir/data" "$@" -- bash -c '
	for i in {1..12}; do "$1/reexec-a" "$2" "$1/reexec-b" >"$1/turns.$i" & done
	wait' - "$dir" "$((1000 * seconds))" 2>"$dir/said" || status=$?
[ "$status" -eq 0 ] || sed 's/^/# /' "$dir/said"
turns=$(cat "$dir"/turns.* | awk '{ n += $1 } END { print n + 0 }')
snapshots=$("$perfstamp" dump --header "$dir/data" | sed -n 's/.*snapshots: \([0-9]*\).*/\1/p')
# In the order of time; what has the same time in the file's.
"$perfstamp" dump --json "$dir/data" | jq -r '
	select((.type == "COMM" and .exec) or (.type == "MMAP2" and .snapshot)) |
	[.time_ns, .pid, .type, .comm // .path] | @tsv' |
	sort -s -n -k 1,1 |
	awk -F '\t' -v head="status=$status turns=$turns snapshots=${snapshots:-0}" '
		{ sub(".*/", "", $4) }
		$3 == "COMM" { runs[$2] = $4; execs++; next }
		$4 !~ /^reexec-/ || runs[$2] !~ /^reexec-/ { next }
		$4 == runs[$2] { right++; next }
		{ if (stale++ < 5) print "# stale: " $0 ", which runs " runs[$2] }
		END { print "reexec:", head, "execs=" execs + 0, "right=" right + 0, "stale=" stale + 0 }'
