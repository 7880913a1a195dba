#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Every executable mapping has its identity, of files of all kinds, in all places, mapped in
# all ways, on every kernel and rung, warm and cold. libelf's reading of the same content
# is the judge. One boot of each kernel makes all its recordings (tests/lib/torture.sh),
# which leave .output/torture/KERNEL.txt; the tests look at one part each, and
# docs/torture.md shows all.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	. tests/lib/torture_checks.bash
	torture=${OUTPUT:-.output}/torture
	mkdir -p "$torture"
	# Two guests side by side. The kernels with most rungs are not last.
	torture__in_guests 6.12 5.10 3>&- &
	torture__in_guests newest 6.1 3>&- &
	wait
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=identity.sh
	. tests/lib/identity.sh
	# shellcheck source-path=SCRIPTDIR/../lib source=torture_checks.bash
	. tests/lib/torture_checks.bash
	torture=${OUTPUT:-.output}/torture
}

@test "5.10: every rung records the whole machine" { every_rung 5.10 uprobe_mmap MMAP2; }
@test "6.1: every rung records the whole machine" { every_rung 6.1 kprobe uprobe_mmap fentry sys_exit MMAP2; }
@test "6.12: every rung records the whole machine" { every_rung 6.12 kprobe.multi kprobe uprobe_mmap fentry sys_exit MMAP2; }
@test "newest: every rung records the whole machine" { every_rung newest kprobe.multi kprobe uprobe_mmap fentry sys_exit MMAP2; }

@test "5.10: no id is wrong, and none is missing without a reason" { nothing_wrong 5.10; }
@test "6.1: no id is wrong, and none is missing without a reason" { nothing_wrong 6.1; }
@test "6.12: no id is wrong, and none is missing without a reason" { nothing_wrong 6.12; }
@test "newest: no id is wrong, and none is missing without a reason" { nothing_wrong newest; }

@test "5.10: every id is there, warm and cold, while it can be read" { all_there 5.10; }
@test "6.1: every id is there, warm and cold, while it can be read" { all_there 6.1; }
@test "6.12: every id is there, warm and cold, while it can be read" { all_there 6.12; }
@test "newest: every id is there, warm and cold, while it can be read" { all_there newest; }

@test "5.10: check counts to the record what the oracle does" { ledger 5.10; }
@test "6.1: check counts to the record what the oracle does" { ledger 6.1; }
@test "6.12: check counts to the record what the oracle does" { ledger 6.12; }
@test "newest: check counts to the record what the oracle does" { ledger newest; }

@test "newest: brief processes have their ids on cold pages, too" {
	cases newest 'brief && phase == "cold" && rung ~ /^kprobe/ && right < ids'
}

@test "docs/torture.md has these kernels, rungs and cases" {
	local kernel

	for kernel in 5.10 6.1 6.12 newest; do
		diff <(bash tests/lib/torture-table --shape "$torture/$kernel.txt") \
			<(bash tests/lib/torture-table --shape-of docs/torture.md "$kernel")
	done
}

@test "the cases are those that the set has" {
	# shellcheck source-path=SCRIPTDIR/../lib source=torture_cases.sh
	diff <(. tests/lib/torture_cases.sh && torture__cases) \
		<(awk '/^newest [^ ]+ [^ ]+ (warm|cold): / && $3 != "others" { print $3 }' \
			"$torture/newest.txt" | LC_ALL=C sort -u)
}
