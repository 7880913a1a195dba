#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What is on a disk only when it is mapped is identified by the kernel side, where the
# kernel lets it wait for the disk: even of processes that are gone at once. One boot
# makes all recordings (tests/lib/cold.sh); the tests look at one each.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	scripts/guest --timeout 1800 newest -- bash tests/lib/cold.sh \
		>"$BATS_FILE_TMPDIR/said" 2>"$BATS_FILE_TMPDIR/errors" || true
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=identity.sh
	. tests/lib/identity.sh
}

# The line of recording $1, for count. Shows all if it fails.
recording() {
	cat "$BATS_FILE_TMPDIR/said" "$BATS_FILE_TMPDIR/errors"
	line=$(sed -n "s/^$1: //p" "$BATS_FILE_TMPDIR/said")
	[ -n "$line" ]
}

count() {
	identity__count "$1" "$line"
}

# Of $2 records at least that should have an id, all do; $3 at least are of the first to
# map their file.
all_identified() {
	recording "$1"
	[ "$(count status)" -eq 0 ]
	[ "$(count wrong)" -eq 0 ]
	[ "$(count missed)" -eq 0 ]
	[ "$(count right)" -ge "$2" ]
	[ "$(count faulted)" -ge "$3" ]
}

@test "newest: what is cold is identified, though its processes live a millisecond" { all_identified brief 53 20; }
@test "newest: what is cold below an overlay is identified, in both layers" { all_identified overlay 53 20; }

@test "newest: without reading them, cold files are told as such, and no id is wrong" {
	recording without
	[ "$(count status)" -eq 0 ]
	[ "$(count wrong)" -eq 0 ]
	[ "$(count faulted)" -eq 0 ]
	# The recordings above could have missed as many.
	[ "$(count missed)" -ge 20 ]
}

@test "newest: neither recording nor SIGKILL waits for a disk" {
	recording slow
	[ "$(count status)" -eq 0 ]
	[ "$(count wrong)" -eq 0 ]
	[ "$(count n)" -ge 1 ]
}

@test "newest: the kernel complains of nothing" {
	recording kernel
	[ "$line" = 0 ]
}

@test "newest: doctor tells that cold pages are read" {
	recording doctor
	[ "$line" = 'read when a file is mapped' ]
}

@test "doctor tells why cold pages are not read, or that they are" {
	run "${OUTPUT:-.output}/perfstamp" doctor
	echo "$output"
	grep -qE '^. cold pages +(read when a file is mapped|read from user space, because .+)$' <<<"$output"
}
