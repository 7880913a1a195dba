#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Two builds at one path in one recording, on this machine, of processes of the test's own.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	local dir=$BATS_FILE_TMPDIR/files

	export SAID=$BATS_FILE_TMPDIR/said
	{
		# Mounts of its own, so that none is left behind.
		"${OUTPUT:-.output}/perfstamp" record -q -e cpu-clock -F 999 -m 8M --map-ring-size 8M \
			-o "$BATS_FILE_TMPDIR/data" -- \
			unshare -m bash tests/lib/replaced.sh run "$dir" &&
			cp "$dir/runs" "$BATS_FILE_TMPDIR" &&
			bash tests/lib/replaced.sh judge "$dir" "$BATS_FILE_TMPDIR/data"
	} >"$SAID" 2>&1 || echo "status $?" >>"$SAID"
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=replaced_checks.bash
	. tests/lib/replaced_checks.bash
}

@test "a file renamed over another: both builds are listed, with their times" {
	replaced__apart "$SAID" rename
	[ "$(identity__count same_inode "$line")" = false ]
}

@test "a file unlinked and written again: both builds are listed, with their times" {
	replaced__apart "$SAID" rewrite
}

@test "a file written in place, in its inode: both builds are listed, with their times" {
	replaced__apart "$SAID" place
	[ "$(identity__count same_inode "$line")" = true ]
}

@test "a file that is replaced while it runs: both builds are listed, at one time" {
	replaced__listed "$SAID" overlap
	[ "$(identity__count apart "$line")" = false ]
}

@test "a file in an overlay, written over: both builds are listed by the path in the overlay" {
	replaced__apart "$SAID" overlay
}

@test "files without build-ids at one path are told apart by their cookies" {
	replaced__cookies "$SAID"
}

@test "stock perf gives each sample the symbol of its own build" {
	replaced__symbols "$SAID"
}
