#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What one container maps faster than it is read costs another one no record, and what is lost is
# counted for the one who lost it. tests/lib/fairness_guest.sh records, in one boot.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	scripts/guest --out "$BATS_FILE_TMPDIR" newest -- bash tests/lib/fairness_guest.sh kprobe.multi \
		>"$BATS_FILE_TMPDIR/said" 2>&1 || true
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_FILE_TMPDIR" || return
	cat said
}

# The value of this line.
said() {
	sed -n "s/^$1: //p" said
}

@test "a flood of mappings costs a neighbour none of its own" {
	[ "$(said record)" = 0 ]
	[ "$(said rung)" = kprobe.multi ]
	[ "$(said recorded)" -ge "$(said runs)" ]
}

@test "who maps new files without end adds no more to the stash than its share" {
	# 8,192 entries, of which the fourth level has a 32nd; some are of programs beside it.
	[ "$(said 'flood stashed')" -ge 200 ]
	[ "$(said 'flood stashed')" -le 320 ]
	[ "$(said 'quiet stashed')" -ge 550 ]
}

@test "what the flood lost is counted as its own, and all of it" {
	local lost

	lost=$(sed -n 's/^lost: ring-full: \([0-9]*\) .*/\1/p' said | awk '{ n += $1 } END { print n }')
	[ "$lost" -gt 300 ]
	[ "$(sed -n 's/^lost by cgroup: .*: //p' said | awk '{ n += $1 } END { print n }')" = "$lost" ]
	for cgroup in container container/below container/below/further; do
		[ "$(sed -n "s,^lost by cgroup: /flood.slice/$cgroup: ,,p" said)" -gt 100 ]
	done
	run ! grep -F 'lost by cgroup: /quiet.slice' said
}
