#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Files whose identity is known get another content in ways that are to be overlooked: no record
# has the identity of the content that was there before. tests/lib/forged_guest.sh records, in one
# boot; docs/security.md has the table.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	scripts/guest newest -- bash tests/lib/forged_guest.sh >"$BATS_FILE_TMPDIR/said" 2>&1 3>&- || true
}

setup() {
	cat "$BATS_FILE_TMPDIR/said"
	rows=$(grep -E '^(ext4|xfs|overlay) (root|plain) [a-z]+: ' "$BATS_FILE_TMPDIR/said")
}

@test "no forged file has the identity of what was there before" {
	local n=0 has recorded

	while read -r _ _ _ _ has recorded; do
		n=$((n + 1))
		# Or a reason instead.
		if [ "$recorded" = first ] || [ "$recorded" = second ]; then [ "$recorded" = "$has" ]; fi
	done < <(grep -v ': refused' <<<"$rows")
	# The kernel refuses some ways: ext4 knows no clones, and users may not set the clock.
	[ "$n" -ge 20 ]
}

@test "what was forged was known before, where it is root's and on a disk" {
	local fs

	for fs in ext4 xfs; do
		[ "$(grep -cE "^$fs root [a-z]+: stash (second|other) " <<<"$rows")" -ge 5 ]
	done
	# Of what others may write to, or to whose device, nothing is kept.
	if grep -E '^[a-z0-9]+ plain [a-z]+: stash' <<<"$rows"; then false; fi
	if grep -E '^ext4 root beneath: stash' <<<"$rows"; then false; fi
}
