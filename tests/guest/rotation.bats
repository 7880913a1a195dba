#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Faults while a recording of a whole machine goes on in next files, one after the other in
# one guest (tests/lib/rotation_guest.sh). ROUNDS is how many times each.

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	out=$BATS_TEST_TMPDIR
}

@test "a disk that is read-only for a while, CPU, cgroup, clock, a stop, a mute reader, a kill: each file stands alone" {
	scripts/guest --timeout $((1200 + ${ROUNDS:-1} * 600)) --out "$out" 6.12 -- \
		bash tests/lib/rotation_guest.sh run /out "${ROUNDS:-1}" || { cat "$out"/*/log && return 1; }
	cat "$out"/*/log
	bash tests/lib/rotation_guest.sh judge "$out" | tee "$out/judged"
	if grep '^wrong: ' "$out/judged"; then return 1; fi
	[ "$(grep -c '^round ' "$out/judged")" -eq "${ROUNDS:-1}" ]
}
