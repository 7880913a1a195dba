#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A whole machine, recorded in many files (tests/lib/soak.sh): small here, as long as one
# likes by make soak.

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	out=$BATS_TEST_TMPDIR
}

# soak KERNEL
soak() {
	scripts/guest --timeout "${SOAK_TIMEOUT:-1800}" --out "$out" "$1" -- \
		env SOAK_PROCESSES="${SOAK_PROCESSES:-60}" SOAK_ROTATIONS="${SOAK_ROTATIONS:-5}" \
		SOAK_TINY="${SOAK_TINY:-0}" HOURS="${HOURS:-}" SOAK_RECORD="${SOAK_RECORD:-}" bash tests/lib/soak.sh run /out
	# Said to who waits for hours, too.
	bash tests/lib/soak.sh judge "$out" | tee "$out/said" "${SOAK_SAID:-/dev/null}"
	if grep '^wrong: ' "$out/said"; then return 1; fi
}

@test "each file stands alone, every sample is in one, and memory is flat" {
	soak "${SOAK_KERNEL:-newest}"
}
