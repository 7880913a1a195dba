#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A snapshot that is taken while processes execute other programs tells nothing of the
# memory that they had before: tests/lib/reexec.sh, in a boot of each kernel.

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=identity.sh
	. tests/lib/identity.sh
}

# Whole machines and what is followed are walked alike: the first has more to walk over.
no_stale() {
	local line recordings=0 taken=0 right=0

	run scripts/guest --timeout 1200 "$1" -- bash -c \
		'bash tests/lib/reexec.sh 6 -a && bash tests/lib/reexec.sh 6'
	echo "$output"
	[ "$status" -eq 0 ]
	while read -r line; do
		recordings=$((recordings + 1))
		[ "$(identity__count status "$line")" -eq 0 ]
		[ "$(identity__count stale "$line")" -eq 0 ]
		[ "$(identity__count execs "$line")" -ge 12 ]
		taken=$((taken + $(identity__count snapshots "$line")))
		right=$((right + $(identity__count right "$line")))
	done < <(sed -n 's/^reexec: //p' <<<"$output")
	[ "$recordings" -eq 2 ]
	# A slow machine may come to take none in one of them.
	[ "$taken" -ge 1 ]
	[ "$right" -ge 1 ]
}

@test "6.12: a snapshot amid many execs tells of the new memory only" { no_stale 6.12; }
@test "newest: a snapshot amid many execs tells of the new memory only" { no_stale newest; }
