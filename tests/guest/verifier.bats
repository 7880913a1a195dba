#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What the verifier processes for each BPF program stays far from its limit, on the oldest and the
# newest kernel. `make verifier-table` has all of them.

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
}

@test "each program takes at most half of what the verifier may process" {
	tests/lib/verifier.sh 5.10 newest >"$BATS_TEST_TMPDIR/table"
	cat "$BATS_TEST_TMPDIR/table"
	[ "$(grep -c '^| `' "$BATS_TEST_TMPDIR/table")" -ge 20 ]
}
