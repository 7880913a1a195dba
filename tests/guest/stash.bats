#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The stash on other kernels: tests/lib/stash_guest.sh records there, with kprobes and
# system-wide, and the tests look at what it prints.

in_guest() {
	scripts/guest --timeout 1800 "$1" -- bash tests/lib/stash_guest.sh >"$BATS_FILE_TMPDIR/$1" 2>&1
}

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=guests.bash
	. tests/lib/guests.bash
	# Of the oldest, on which all is copied by a helper, and of the newest.
	guests__each in_guest 5.10 newest || true
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=identity.sh
	. tests/lib/identity.sh
}

count() {
	identity__count "$1" "$line"
}

only_what_was_there() {
	local how line

	cat "$BATS_FILE_TMPDIR/$1"
	grep -qx "rung: $2" "$BATS_FILE_TMPDIR/$1"
	for how in pwrite mmap rename truncate utimes reuse; do
		line=$(grep "^$how: " "$BATS_FILE_TMPDIR/$1")
		[ "$(count wrong)" = 0 ]
		[ "$(count first)" -ge 20 ]
		[ "$(count second)" -ge 20 ]
		[ "$(count timed)" -ge 50 ]
		[ "$(count stashed)" -ge 5 ]
	done
}

# The pages of all were gone, and the inodes, too.
known_without_pages() {
	cat "$BATS_FILE_TMPDIR/$1"
	grep -qx 'known: \(0a\)\{20\} stash' "$BATS_FILE_TMPDIR/$1"
	grep -qx 'changed: \(b1\)\{20\} \(user\|faulted\)' "$BATS_FILE_TMPDIR/$1"
	grep -qx 'once: \(0a\)\{20\} \(user\|faulted\)' "$BATS_FILE_TMPDIR/$1"
}

@test "5.10: files that are rewritten while they are mapped" {
	only_what_was_there 5.10 uprobe_mmap
}

@test "newest: files that are rewritten while they are mapped" {
	only_what_was_there newest kprobe.multi
}

@test "5.10: what is known is served without pages" {
	known_without_pages 5.10
}

@test "newest: what is known is served without pages" {
	known_without_pages newest
}
