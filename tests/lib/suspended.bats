#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A recorder of a machine that is suspended and resumed: it goes on, on all CPUs, though the
# kernel has taken its events from those that were off-line meanwhile (suspended.sh). By hand: a
# machine that does not wake would hold up all others.

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../.." || return
	perfstamp=$(realpath "${OUTPUT:-.output}")/perfstamp
	out=$BATS_TEST_TMPDIR
}

# The value of this line.
said() {
	sed -n "s/^$1: //p" "$out/said"
}

# Whether process PID has samples after the resumption, and none after the end.
is_sampled_till_the_end() {
	"$perfstamp" dump --json "$out/data" | jq -r --argjson pid "$1" 'select(.type == "SAMPLE" and .pid == $pid).time_ns' |
		awk -v resumed="$(said resumed)" -v end="$(said end)" '$1 > end { exit 1 } $1 > resumed { n++ } END { exit n < 20 }'
}

@test "after a suspension all CPUs are recorded, and what could not be seen is told" {
	scripts/guest --timeout 1200 --out "$out" 6.12 -- bash tests/lib/suspended.sh >"$out/said" 2>&1 || true
	cat "$out/said" "$out/record.err" "$out/check"
	run ! grep 'in vain' "$out/said"
	[ "$(said suspended)" = 0 ]
	[ "$(said record)" -eq 0 ]
	[ "$(said check)" -eq 0 ]
	[ "$(said script)" -eq 0 ]
	[ ! -s "$out/script.err" ]
	is_sampled_till_the_end "$(said first)"
	is_sampled_till_the_end "$(said second)"
	# The other CPU was never off-line.
	[ "$(grep -c 'was off-line' "$out/record.err")" -eq 1 ]
	grep -q 'CPU 1 was off-line and is recorded again' "$out/record.err"
	[ "$(sed -n 's/^lost: \(.*\) between .*/\1/p' "$out/check")" = 'cpu-off-line: 1' ]
	"$perfstamp" list --path /tmp/afterwards "$out/data" | grep -E '^[0-9a-f]{8,40} /tmp/afterwards$'
}
