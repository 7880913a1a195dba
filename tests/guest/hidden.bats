#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What an unprivileged user, or root of a container, may try so that code is mapped and not
# recorded: every attempt is in the recording, or counted as lost. tests/lib/hidden_guest.sh
# records, in one boot of the oldest and of the newest kernel; docs/security.md has the table.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	scripts/guest 5.10 -- bash tests/lib/hidden_guest.sh uprobe_mmap \
		>"$BATS_FILE_TMPDIR/5.10" 2>&1 3>&- &
	scripts/guest newest -- bash tests/lib/hidden_guest.sh kprobe.multi sys_exit MMAP2 \
		>"$BATS_FILE_TMPDIR/newest" 2>&1 3>&- &
	wait
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
}

# All attempts by this rung: MADE RECORDED.
attempts() {
	cat "$BATS_FILE_TMPDIR/$1"
	lines=$(grep -E "^$2 (plain|root) [^ ]+: [0-9]+ [0-9]+$" "$BATS_FILE_TMPDIR/$1")
	read -r _ _ rung missing lost unmapped status \
		<<<"$(grep "^$2 recording: " "$BATS_FILE_TMPDIR/$1")"
	[ "$rung" = "$2" ]
	[ "$status" = 0 ]
	# Kernels refuse some ways, not most of them.
	[ "$(wc -l <<<"$lines")" -ge 34 ]
	if grep -E ": failed:" "$BATS_FILE_TMPDIR/$1"; then false; fi
}

everything_recorded() {
	local lines rung missing lost unmapped status

	attempts "$@"
	[ "$missing" = 0 ]
	[ "$lost" = 0 ]
	# Code that another process has mapped runs for a second: some 50 samples.
	[ "$unmapped" -lt 10 ]
}

@test "5.10: each attempt to map code unseen is recorded" { everything_recorded 5.10 uprobe_mmap; }
@test "newest: each attempt to map code unseen is recorded" { everything_recorded newest kprobe.multi; }

@test "newest: without kprobes each attempt is recorded, or counted as lost" {
	local lines rung missing lost unmapped status

	attempts newest sys_exit
	[ "$missing" -le "$lost" ]
	[ "$unmapped" -lt 10 ] || [ "$lost" -gt 0 ]
}

@test "newest: without BPF only what is moved is missing" {
	local lines rung missing lost unmapped status

	attempts newest MMAP2
	# Half of what is mapped and moved: the move.
	awk '{ wanted = $3 ~ /^mremap/ ? $4 / 2 : $4; bad += $5 < wanted } END { exit bad > 0 }' <<<"$lines"
}
