#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# 1,000 processes that map at full speed, and storms of cgroups and mounts: the recorder lives, in
# bounded memory, and what it does not record is counted. FLOOD_TIMES says how many there are (2000
# cgroups and mounts), FLOOD_MAPS how many mappings (10000); `make flood` has 100,000 and 50,000.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	scripts/guest --timeout 14400 newest -- bash tests/lib/flood_guest.sh "${FLOOD_TIMES:-2000}" \
		"${FLOOD_MAPS:-10000}" \
		>"$BATS_FILE_TMPDIR/said" 2>&1 3>&- || true
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_FILE_TMPDIR" || return
	cat said
}

# The sum of these lines' values.
said() {
	sed -n "s,^$1: ,,p" said | awk '{ n += $1 } END { print n + 0 }'
}

lost() {
	sed -n 's/^lost: [a-z-]*: \([0-9]*\) .*/\1/p' said | awk '{ n += $1 } END { print n + 0 }'
}

@test "after the storms the recorder lives, and its memory is what it was" {
	[ "$(said record)" = 0 ]
	[ "$(grep -c '^record: ' said)" = 1 ]
	[ "$(said mounts)" -gt 0 ]
	# The highest and the present one.
	for what in maps cgroups mounts; do
		read -r highest _ <<<"$(sed -n "s/^$what KiB: //p" said)"
		[ "$highest" -gt 0 ]
		[ "$highest" -lt 65536 ]
	done
}

@test "each mapping of the storms is recorded, or counted as lost by whoever made it" {
	[ $(($(said recorded) + $(lost))) -ge $(($(said maps) + $(said mounts))) ]
	[ "$(said 'lost by cgroup: /flood.service')" = "$(lost)" ]
	run ! grep -F 'lost by cgroup: /quiet.service' said
}

@test "programs of another cgroup that run meanwhile are all recorded" {
	[ "$(said victims)" -gt 0 ]
	[ "$(said 'recorded victims')" -ge "$(said victims)" ]
}
