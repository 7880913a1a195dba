#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# arm64, with pages of 16 KiB, in one boot (tests/lib/arm64.sh): identities by two rungs, the files
# read on this machine, and stacks unwound there and here. torture.bats beside it has more.

bats_require_minimum_version 1.5.0

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	scripts/guest --arch arm64 --timeout 1200 --out "$BATS_FILE_TMPDIR" 6.12-16k -- \
		bash tests/lib/arm64.sh kprobe sys_exit >"$BATS_FILE_TMPDIR/said" 2>&1 3>&- ||
		echo "status $?" >>"$BATS_FILE_TMPDIR/said"
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=identity.sh
	. tests/lib/identity.sh
	dir=$BATS_FILE_TMPDIR
	cat "$dir/said"
}

# The ids by RUNG are those of the oracle, and their absence has its reason.
right() {
	local line
	line=$(sed -n "s/^$1 mappings=/mappings=/p" "$dir/said")
	[ -n "$line" ]
	for count in wrong missing unseen bare gone silent; do
		[ "$(identity__count $count "$line")" = 0 ]
	done
	[ "$(identity__count ids "$line")" -ge 80 ]
	# Read in the kernel, from pages of its size.
	[ $(($(identity__count page-cache "$line") + $(identity__count stash "$line"))) -ge 40 ]
}

@test "with pages of 16 KiB, the ids are the oracle's by kprobe" {
	grep -qx aarch64 "$dir/said"
	grep -qx 16384 "$dir/said"
	right kprobe
}

@test "and by sys_exit" { right sys_exit; }

@test "what an mprotect with a tagged address makes executable has its id" {
	grep -x "/var/tmp/odd/plain $("$perfstamp" list "$dir/tagged" | sed -n 's, /var/tmp/odd/plain$,,p')" \
		"$dir/ids"
}

@test "the file is read here, and by stock perf without a warning" {
	"$perfstamp" check "$dir/kprobe"
	scripts/perf newest report --stdio -i "$dir/kprobe" --sort dso >"$BATS_TEST_TMPDIR/report" 2>"$BATS_TEST_TMPDIR/err"
	cat "$BATS_TEST_TMPDIR/err"
	run -1 grep -iE 'warning|error|fail|unknown' "$BATS_TEST_TMPDIR/err"
	grep -q 'mapper\|bash' "$BATS_TEST_TMPDIR/report"
	[ "$("$perfstamp" list --json "$dir/kprobe" | jq -s 'map(select(.build_id)) | length')" -ge 80 ]
}

@test "signed return addresses are unwound there, and here from the same file" {
	grep -q '^stacks .*main;chain_a;chain_b;chain_c ' "$dir/said"
	mkdir -p "$BATS_TEST_TMPDIR/store"
	"$perfstamp" cache add --buildid-dir "$BATS_TEST_TMPDIR/store" "$dir/program"
	"$perfstamp" report --no-pager --folded --buildid-dir "$BATS_TEST_TMPDIR/store" "$dir/stacks" |
		tee "$BATS_TEST_TMPDIR/folded"
	grep -q 'main;chain_a;chain_b;chain_c ' "$BATS_TEST_TMPDIR/folded"
}
