#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Programs with several executable segments on the rung sys_exit, which walks a tree of the
# kernel's own for them, on each kernel that has the rung: tests/lib/segments.sh.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	programs=$(mktemp -d "$(realpath "${OUTPUT:-.output}")/segments.XXXXXX")
	export programs
	bash tests/lib/segments.sh --build "$programs"
}

teardown_file() {
	rm -rf "$programs"
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
}

all_are_found() {
	local shapes=(plain below two static-pie many writable loader node)

	run scripts/guest --timeout 600 "$1" -- env "SEGMENTS=$programs" \
		bash tests/lib/segments.sh sys_exit "${shapes[@]}"
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$(grep -c '^segments: .* maps=[1-9][0-9]* missing=0 unmapped=0 lost=0$' <<<"$output")" -eq ${#shapes[@]} ]
}

@test "6.1: sys_exit finds every executable segment" { all_are_found 6.1; }
@test "6.12: sys_exit finds every executable segment" { all_are_found 6.12; }
@test "newest: sys_exit finds every executable segment" { all_are_found newest; }
