#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The kernel of kernel-patch/ with KASAN, lockdep and kmemleak, in a storm of execs, mappings,
# files rewritten in place and modules reloaded, and with more files than it keeps.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	run_guest storm
	# What one CPU does alone costs least where its time is a count of instructions.
	run_guest files --icount
}

# run_guest PART [OPTION...]
run_guest() {
	local part=$1
	shift

	# Where ACPI is to tell the interrupts, this kernel takes minutes to ask it.
	scripts/guest --timeout 3600 --memory 4G --append pci=noacpi "$@" \
		--out "$BATS_FILE_TMPDIR/$part" patched-debug -- \
		bash tests/lib/kernel_storm.sh "$part" /out >"$BATS_FILE_TMPDIR/$part.said" 2>&1 ||
		echo "status $?" >>"$BATS_FILE_TMPDIR/$part.said"
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_FILE_TMPDIR" || return
}

@test "the kernel checks itself, to the end" {
	local part

	for part in storm files; do
		cat "$part.said"
		cat "$part"/{times,lockdep,leaks.control}
		grep -q 'KernelAddressSanitizer initialized' "$part/dmesg"
		# Lockdep turns itself off at the first report, and where its tables are full.
		grep -q 'debug_locks: *1$' "$part/lockdep"
		run -1 grep -i 'kmemleak: .*disabled' "$part/dmesg"
		[ "$(grep -c '^unreferenced object' "$part/leaks.control")" -ge 1 ]
	done
}

@test "it has nothing to report" {
	cat {storm,files}/said storm/{done,checked,modules}
	run -1 grep -E 'WARNING:|BUG:|Oops|possible recursive|suspicious RCU' {storm,files}/dmesg
	grep -q '^perfstamp record: rung MMAP3; ' storm/said
	grep -q 'mapped=[1-9].* executed=[1-9].* written=[1-9]' storm/done
	[ "$(cat storm/modules)" -ge 1 ]
}

@test "100,000 files: so many are kept as there is room for, the last ones, and all are freed" {
	cat files/{done,kept,sources,kept.dropped}
	grep -qx files=100000 files/done
	# RCU may not have freed the last ones that gave way.
	[ "$(cat files/kept)" -ge 65000 ]
	[ "$(cat files/kept)" -le 66000 ]
	[ "$(paste -s -d ' ' files/sources)" = "page-cache stash" ]
	# But for what is still mapped.
	[ "$(cat files/kept.dropped)" -le 2000 ]
}

@test "nothing is leaked" {
	local part

	for part in storm files; do
		cat "$part/leaks"
		[ -e "$part/leaks" ]
		[ ! -s "$part/leaks" ]
	done
}
