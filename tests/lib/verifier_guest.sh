#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest, as root, at the tree's root: records with each rung, the whole machine and a
# workload, and prints a line for each BPF program that was loaded: its name, its instructions, those
# that the verifier processed, all states, the most at once, the bytes of its log; the highest of
# each. tests/tools/verifier.c asks the verifier.
set -euo pipefail
tools=$PWD/${OUTPUT:-.output}/tools
export VERIFIER_OUT=/tmp/loaded
rungs=(kprobe.multi kprobe uprobe_mmap fentry sys_exit)

: >"$VERIFIER_OUT"
for rung in "${rungs[@]}"; do
	for what in -a ''; do
		# A rung that this kernel does not have is not used.
		# shellcheck disable=SC2086 # none, where it is empty
		LD_PRELOAD=$tools/libverifier.so "${OUTPUT:-.output}/perfstamp" record --rung "$rung" $what \
			-e cpu-clock -o /tmp/data -- true >/dev/null 2>&1 || true
	done
done
# Without those that libbpf, and perfstamp, load to see what the kernel can do: they do next to nothing.
awk '$2 > 8 && $1 ~ /^[a-z]/ {
	for (i = 2; i <= 6; i++)
		if ($i + 0 > most[$1, i] + 0) most[$1, i] = $i
	names[$1]
} END {
	for (name in names)
		print "program", name, most[name, 2], most[name, 3], most[name, 4], most[name, 5], most[name, 6]
}' "$VERIFIER_OUT" | sort
