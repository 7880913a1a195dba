#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A recorder of a busy machine that stood still for 30 seconds: what it lost is told, with
# the time in which it was, and what is there afterwards is known. One boot records
# (tests/lib/stopped.sh); each test looks at one thing.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	scripts/guest --timeout 1200 --out "$BATS_FILE_TMPDIR" newest -- bash tests/lib/stopped.sh \
		>"$BATS_FILE_TMPDIR/said" 2>&1 || true
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../.." || return
	perfstamp=$(realpath "${OUTPUT:-.output}")/perfstamp
	cd "$BATS_FILE_TMPDIR" || return
	cat said
	run ! grep 'in vain' said
}

# The value of this line.
said() {
	sed -n "s/^$1: //p" said
}

# Kernel symbols told after the start, as "NAME" or "NAME ended".
symbols() {
	"$perfstamp" dump --json data | jq -r 'select(.type == "KSYMBOL" and .time_ns > 0) |
		.name + (if .unregister then " ended" else "" end)'
}

@test "the file is good, and tells what was lost and when" {
	[ "$(said record)" -eq 0 ]
	[ "$(said check)" -eq 1 ]
	cat check
	sed -n 's/^lost: perf-rings: [0-9]* between \([0-9.]*\) and \([0-9.]*\)$/\1 \2/p' check |
		awk -v stopped="$(said stopped)" -v went_on="$(said went-on)" \
			'$1 <= stopped + 10 && $2 >= went_on - 1 { found = 1 } END { exit !found }'
}

@test "a process that began meanwhile is known, once all was told again" {
	[ "$(said script)" -eq 0 ]
	grep -q worker_main script
	# In the kernel it may be a trampoline of whom else.
	run ! grep -E '^ *[0-9a-f]{1,15} \[unknown\]' script
}

@test "a BPF program that went meanwhile has an end, and one that came a beginning" {
	symbols | sort | uniq -c
	symbols | grep -q '_filter_sample ended$'
	symbols | grep -q '_filter_sample$'
}
