#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Every executable mapping has its identity, of files of all kinds, in all places, mapped in
# all ways, on every kernel and rung, warm and cold. libelf's reading of the same content
# is the judge. One boot of each kernel makes all its recordings (tests/lib/torture.sh),
# which leave .output/torture/KERNEL.txt; the tests look at one part each, and
# docs/torture.md shows all.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	mkdir -p "${OUTPUT:-.output}/torture"
	# Two guests side by side. The kernels with most rungs are not last.
	in_guests 6.12 5.10 3>&- &
	in_guests newest 6.1 3>&- &
	wait
}

# One after the other.
in_guests() {
	local kernel file

	for kernel; do
		file=${OUTPUT:-.output}/torture/$kernel
		rm -f "$file.txt"
		scripts/guest --timeout 2700 "$kernel" -- bash tests/lib/torture.sh "$kernel" \
			>"$file.new" 2>"$file.err" || echo "status $?" >>"$file.err"
		mv "$file.new" "$file.txt"
	done
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=identity.sh
	. tests/lib/identity.sh
	torture=${OUTPUT:-.output}/torture
}

# Prints lines of cases of KERNEL for which the awk expression WRONG is true. Its
# variables: rung, name, phase, ids, right, wrong, flagged, lost; brief: nobody can look at
# it while it lives.
cases() {
	awk -v kernel="$1" '
		/^#/ || $1 != kernel || NF != 8 { next }
		{
			rung = $2; name = $3; phase = $4; ids = $5; right = $6; wrong = $7; flagged = $8 + 0
			sub(/:$/, "", phase)
			lost = 0
			if (match($8, /[(,]lost=[0-9]+/)) lost = substr($8, RSTART + 6, RLENGTH - 6) + 0
			brief = name ~ /^brief/
			n++
		}
		'"$2"' { print; bad++ }
		END { exit !n || bad > 0 }' "$torture/$1.txt"
}

# The line of the recording by RUNG on KERNEL.
recording() {
	line=$(sed -n "s/^$1 $2 recording: //p" "$torture/$1.txt")
	[ -n "$line" ]
}

count() {
	identity__count "$1" "$line"
}

every_rung() {
	local kernel=$1 rung

	grep -a '^#' "$torture/$1.txt" || true
	cat "$torture/$1.err"
	shift
	for rung; do
		echo "$rung"
		recording "$kernel" "$rung"
		[ "$(count rung)" = "$rung" ]
		[ "$(count status)" = 0 ]
		[ "$(count gone)" = 0 ]
		[ "$(count processes)" -ge 100 ]
		[ "$(count mappings)" -ge 1000 ]
	done
	[ "$(grep -ac ' recording: ' "$torture/$kernel.txt")" -eq $# ]
}

nothing_wrong() {
	cases "$1" 'wrong > 0'
	run -1 grep -aE '^# [^ ]+: (WRONG|SILENT|EXTRA) ' "$torture/$1.txt"
	run -1 grep -aE ' recording: .* (wrong|silent|extra)=[1-9]' "$torture/$1.txt"
}

# What the kernel side reads is there, or was lost, and counted. User space reads the rest,
# by the disk, and leaves what takes it too long: on a busy machine that may be some.
all_there() {
	local rung

	# What is not right has a reason.
	cases "$1" 'right + flagged < ids'
	cases "$1" 'phase == "warm" && right + lost < ids && rung ~ /^(kprobe|fentry|sys_exit)/ &&
		name !~ /^(before|copied-up|lying-sizes|many-headers|notes-before|other-byte-order)$/'
	cases "$1" 'lost && rung !~ /^(fentry|sys_exit)$/'
	for rung in kprobe.multi kprobe uprobe_mmap fentry sys_exit MMAP2; do
		recording "$1" $rung || continue
		# Of those that are held.
		cases "$1" "rung == \"$rung\" && !brief { all += ids; there += right + lost }
			END { if (there < all * 0.9) bad++ } 0"
		[ "$(count unseen)" -le "$(count lost)" ]
	done
	# Most of what was dropped was not in memory indeed.
	for rung in kprobe.multi kprobe uprobe_mmap; do
		recording "$1" $rung || continue
		[ $(($(count user) + $(count faulted))) -ge 50 ]
	done
}

ledger() {
	local counts n=0

	# What both have counted, where they differ.
	grep -aE '^# [^ ]+: (ledger|check): ' "$torture/$1.txt" || true
	run -1 grep -a 'ledger=differs' "$torture/$1.txt"
	while read -r counts; do
		echo "$counts"
		[ "${counts% / *}" = "${counts#* / }" ]
		n=$((n + 1))
	done < <(sed -n 's/^[^#].* ledger: //p' "$torture/$1.txt")
	[ "$n" -eq "$(grep -ac ' recording: ' "$torture/$1.txt")" ]
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
