#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What tests/guest/rotation.bats has of x86-64, on arm64 with pages of 16 KiB; the files are judged
# here.

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	out=$BATS_TEST_TMPDIR
}

@test "each of a recording's files stands alone, whatever goes wrong meanwhile" {
	scripts/guest --arch arm64 --timeout 2700 --out "$out" 6.12-16k -- \
		bash tests/lib/rotation_guest.sh run /out 1 || { cat "$out"/*/log && return 1; }
	cat "$out"/*/log
	bash tests/lib/rotation_guest.sh judge "$out" | tee "$out/judged"
	if grep '^wrong: ' "$out/judged"; then return 1; fi
	[ "$(grep -c '^round ' "$out/judged")" -eq 1 ]
}
