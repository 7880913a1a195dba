#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The kernel of kernel-patch/ with KASAN, lockdep and kmemleak, in a storm of execs, mappings,
# files rewritten in place and modules reloaded, and with more files than it keeps.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# Where ACPI is to tell the interrupts, this kernel takes minutes to ask it.
	scripts/guest --timeout 3600 --memory 4G --append pci=noacpi \
		--out "$BATS_FILE_TMPDIR/storm" patched-debug -- \
		bash tests/lib/kernel_storm.sh /out >"$BATS_FILE_TMPDIR/said" 2>&1 ||
		echo "status $?" >>"$BATS_FILE_TMPDIR/said"
}

setup() {
	bats_require_minimum_version 1.5.0
	storm=$BATS_FILE_TMPDIR/storm
}

@test "the kernel checks itself, to the end" {
	cat "$BATS_FILE_TMPDIR/said"
	cat "$storm"/{times,lockdep,leaks.control}
	grep -q 'KernelAddressSanitizer initialized' "$storm/dmesg"
	# Lockdep turns itself off at the first report, and where its tables are full.
	grep -q 'debug_locks: *1$' "$storm/lockdep"
	run -1 grep -i 'kmemleak: .*disabled' "$storm/dmesg"
	[ "$(grep -c '^unreferenced object' "$storm/leaks.control")" -ge 1 ]
}

@test "it has nothing to report of the storm" {
	cat "$storm"/{said,done,checked,modules}
	run -1 grep -E 'WARNING:|BUG:|Oops|possible recursive|suspicious RCU' "$storm/dmesg"
	grep -q '^perfstamp record: rung MMAP3; ' "$storm/said"
	grep -q 'mapped=[1-9].* executed=[1-9].* written=[1-9]' "$storm/done"
	[ "$(cat "$storm/modules")" -ge 1 ]
}

@test "100,000 files: so many are kept as there is room for, and all are freed" {
	cat "$storm"/{done,kept,kept.dropped}
	grep -qx files=100000 "$storm/done"
	# Two CPUs may both find the last place free.
	[ "$(cat "$storm/kept")" -ge 60000 ]
	[ "$(cat "$storm/kept")" -le 65540 ]
	# But for what is still mapped.
	[ "$(cat "$storm/kept.dropped")" -le 2000 ]
}

@test "nothing is leaked" {
	cat "$storm/leaks"
	[ -e "$storm/leaks" ]
	[ ! -s "$storm/leaks" ]
}
