#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The torture set on arm64: each kernel by its best rung, every rung on one kernel at least, pages
# of 4 and of 16 KiB, programs of 32 bits where the kernel runs them. tests/lib/torture_checks.bash
# has what is looked at; this leaves .output/torture-arm64/KERNEL.txt, which
# `tests/lib/torture-table .output/torture-arm64/*.txt' renders.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	. tests/lib/torture_checks.bash
	torture=${OUTPUT:-.output}/torture-arm64
	mkdir -p "$torture"
	export GUEST_ARCH=arm64
	torture__in_guest newest kprobe.multi 3>&-
	torture__in_guest 5.10 uprobe_mmap 3>&-
	torture__in_guest 6.1 kprobe sys_exit 3>&-
	torture__in_guest 6.12-16k kprobe fentry 3>&-
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=identity.sh
	. tests/lib/identity.sh
	# shellcheck source-path=SCRIPTDIR/../lib source=torture_checks.bash
	. tests/lib/torture_checks.bash
	torture=${OUTPUT:-.output}/torture-arm64
}

@test "newest: these rungs record the whole machine" { every_rung newest kprobe.multi; }
@test "5.10: these rungs record the whole machine" { every_rung 5.10 uprobe_mmap; }
@test "6.1: these rungs record the whole machine" { every_rung 6.1 kprobe sys_exit; }
@test "6.12 with pages of 16 KiB: these rungs record the whole machine" { every_rung 6.12-16k kprobe fentry; }

@test "newest: no id is wrong, and none is missing without a reason" { nothing_wrong newest; }
# On 5.10 the hook of uprobes tells the parts, too, that a mapping is split into: on arm64 ld.so maps
# a library as a whole, executable, and then takes away the gap behind its text.
@test "5.10: no id is wrong, and none is missing without a reason" { nothing_wrong 5.10 parts; }
@test "6.1: no id is wrong, and none is missing without a reason" { nothing_wrong 6.1; }
@test "6.12 with pages of 16 KiB: no id is wrong, and none is missing without a reason" { nothing_wrong 6.12-16k; }

@test "newest: every id is there, warm and cold, while it can be read" { all_there newest; }
@test "5.10: every id is there, warm and cold, while it can be read" { all_there 5.10; }
@test "6.1: every id is there, warm and cold, while it can be read" { all_there 6.1; }
@test "6.12 with pages of 16 KiB: every id is there, warm and cold, while it can be read" { all_there 6.12-16k; }

@test "newest: check counts to the record what the oracle does" { ledger newest; }
@test "5.10: check counts to the record what the oracle does" { ledger 5.10 parts; }
@test "6.1: check counts to the record what the oracle does" { ledger 6.1; }
@test "6.12 with pages of 16 KiB: check counts to the record what the oracle does" { ledger 6.12-16k; }

@test "6.1: programs of 32 bits are recorded" {
	[ "$(grep -cE '^6.1 (kprobe|sys_exit) program-elf32 (warm|cold): [1-9]' "$torture/6.1.txt")" -eq 4 ]
}
