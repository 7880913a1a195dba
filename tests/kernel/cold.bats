#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A kernel with part B of kernel-patch/v2: a stock perf that records the torture set has the
# build-ids of files that were not in memory, and no wrong one. KERNEL=patched-v2 is 6.12.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	scripts/guest --timeout 6000 "${KERNEL:-patched-v2-7.2}" -- \
		bash tests/lib/kernel_cold.sh newest >"$BATS_FILE_TMPDIR/counts"
	cat "$BATS_FILE_TMPDIR/counts" >&2
}

# counts CASE PHASE: MAPPINGS WITH-ID WRONG.
counts() {
	sed -n "s/^$1 $2: //p" "$BATS_FILE_TMPDIR/counts"
}

@test "what has a build-id in memory has it when it was not" {
	local name warm cold n with

	n=$(grep -c ' cold: ' "$BATS_FILE_TMPDIR/counts")
	[ "$n" -ge 30 ]
	while read -r name; do
		read -r n with _ < <(counts "$name" warm)
		warm=$((100 * with / n))
		read -r n with _ < <(counts "$name" cold)
		cold=$((100 * with / n))
		echo "$name: $warm % warm, $cold % cold"
		[ "$cold" -ge "$warm" ]
	done < <(sed -n 's/ cold: .*//p' "$BATS_FILE_TMPDIR/counts")
}

@test "no build-id is wrong" {
	[ "$(counts TOTAL warm | cut -d ' ' -f 3)" -eq 0 ]
	[ "$(counts TOTAL cold | cut -d ' ' -f 3)" -eq 0 ]
}
