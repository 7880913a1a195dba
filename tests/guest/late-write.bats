#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Files that are rewritten just after they were mapped, on other kernels:
# tests/lib/late_write_guest.sh records there, and the tests look at what it prints.

in_guest() {
	scripts/guest --timeout 1800 "$1" -- env TRIES="${TRIES:-100}" bash tests/lib/late_write_guest.sh \
		>"$BATS_FILE_TMPDIR/$1" 2>&1
}

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=guests.bash
	. tests/lib/guests.bash
	# Of the oldest, whose file times are the clock's last tick, and of the newest.
	# shellcheck disable=SC2086 # a list
	guests__each in_guest ${KERNELS:-5.10 newest} || true
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=identity.sh
	. tests/lib/identity.sh
}

count() {
	identity__count "$1" "$line"
}

# What KERNEL said: of no file the later content, and where RUNG sees it, of some the first.
never_the_later() {
	local name line

	cat "$BATS_FILE_TMPDIR/$1"
	for name in plain-warm plain-cold other-endian-warm other-endian-warm-mmap2; do
		line=$(grep "^$name: " "$BATS_FILE_TMPDIR/$1")
		[ "$(count second)" -eq 0 ]
		[ "$(count n)" -ge 100 ]
		[[ $name == *-mmap2 ]] || [ "$(count rung)" = "$2" ]
	done
	line=$(grep "^plain-warm: " "$BATS_FILE_TMPDIR/$1")
	[ "$(count first)" -ge 90 ]
}

@test "5.10: a file never has the identity of what was written to it later" {
	never_the_later 5.10 uprobe_mmap
}

@test "newest: a file never has the identity of what was written to it later" {
	never_the_later newest kprobe.multi
}
