#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Programs with several executable segments on each kernel: tests/lib/segments.sh. By default on
# the rung sys_exit, which walks a tree of the kernel's own for them, and on 5.10, which does not
# have it, on uprobe_mmap. With ALL_RUNGS=1 (make segments), two shapes and node on every rung.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	programs=$(mktemp -d "$(realpath "${OUTPUT:-.output}")/segments.XXXXXX")
	export programs
	bash tests/lib/segments.sh --build "$programs"
}

teardown_file() {
	rm -rf "$programs"
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
}

# are_found KERNEL RUNGS SHAPE...
are_found() {
	local kernel=$1 rungs=$2 rung

	shift 2
	# shellcheck disable=SC2016 # for that shell
	run scripts/guest --timeout 3600 "$kernel" -- env "SEGMENTS=$programs" "RUNGS=$rungs" bash -c '
		for rung in $RUNGS; do echo "rung $rung"; bash tests/lib/segments.sh "$rung" "$@"; done' - "$@"
	echo "$output"
	[ -z "${ALL_RUNGS-}" ] || awk -v kernel="$kernel" '{ print "# " kernel ": " $0 }' <<<"$output" >&3
	[ "$status" -eq 0 ]
	for rung in $rungs; do
		[ "$(grep -c "^segments: .* rung=$rung maps=[1-9][0-9]* missing=0 unmapped=0 lost=0\$" <<<"$output")" -eq $# ]
	done
}

# all_are_found KERNEL RUNG ALL_RUNGS
all_are_found() {
	if [ -n "${ALL_RUNGS-}" ]; then
		are_found "$1" "$3" two many node
	elif [ "$2" = sys_exit ]; then
		are_found "$1" "$2" plain below two static-pie many writable loader moved node
	else
		are_found "$1" "$2" two node
	fi
}

@test "5.10: every executable segment is found" {
	all_are_found 5.10 uprobe_mmap 'uprobe_mmap MMAP2'
}

@test "6.1: every executable segment is found" {
	all_are_found 6.1 sys_exit 'kprobe uprobe_mmap fentry sys_exit MMAP2'
}

@test "6.12: every executable segment is found" {
	all_are_found 6.12 sys_exit 'kprobe.multi kprobe uprobe_mmap fentry sys_exit MMAP2'
}

@test "newest: every executable segment is found" {
	all_are_found newest sys_exit 'kprobe.multi kprobe uprobe_mmap fentry sys_exit MMAP2'
}
