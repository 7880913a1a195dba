#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# fuzz_table.sh STOP SECONDS TARGET...: fuzzes each target in rounds of STOP executions till a round
# covers nothing new, or SECONDS are over, and prints the table of docs/fuzzing.md. The corpus below
# FUZZ_CORPUS stays, with the number of all executions so far in TARGET.executions.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
programs=${OUTPUT:-.output}/fuzz
corpus=${FUZZ_CORPUS:-$programs/corpus}
stop=$1 seconds=$2
shift 2

# The number behind "$1: " in the last line of the log that has it.
last() { sed -n "s/.*\b$1: \([0-9]*\).*/\1/p" "$log" | tail -n1; }

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo '| target | edges | covered | corpus | executions | stopped by |'
echo '|---|---|---|---|---|---|'
for target; do
	mkdir -p "$corpus/$target"
	executions=$(cat "$corpus/$target.executions" 2>/dev/null || echo 0)
	end=$((EPOCHSECONDS + seconds)) why=''
	while [ -z "$why" ]; do
		left=$((end - EPOCHSECONDS))
		if ! "$programs/$target" -runs="$stop" -max_total_time=$((left > 0 ? left : 1)) -timeout=100 \
			-rss_limit_mb=2048 -artifact_prefix="$corpus/$target-" -print_final_stats=1 \
			"$corpus/$target" "tests/fuzz/corpus/$target" 2>"$log"; then
			tail -n60 "$log" >&2
			exit 1
		fi
		ran=$(last stat::number_of_executed_units)
		executions=$((executions + ran))
		echo "$executions" >"$corpus/$target.executions"
		covered=$(last cov)
		if [ "$ran" -lt "$stop" ] || [ "$EPOCHSECONDS" -ge "$end" ]; then
			why="$seconds s"
		elif [ "$covered" = "$(sed -n 's/.*INITED cov: \([0-9]*\).*/\1/p' "$log")" ]; then
			why="no new edge in $stop"
		fi
	done
	edges=$(sed -n 's/.*(\([0-9]*\) inline 8-bit counters).*/\1/p' "$log" | head -n1)
	echo "| \`$target\` | $edges | $covered ($((100 * covered / edges)) %) | $(last corp) |" \
		"$executions | $why |"
done
