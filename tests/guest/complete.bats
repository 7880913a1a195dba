#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Every executable mapping has its identity: whole machines are recorded in guests, and
# libelf's reading of the same content is the judge. One boot of each kernel makes all
# its recordings (tests/lib/complete.sh); the tests look at one each.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	local kernel pids=()

	for kernel in 6.1 newest; do
		in_guest "$kernel" "$BATS_FILE_TMPDIR/$kernel" 3>&- &
		pids+=($!)
	done
	wait "${pids[@]}"
}

# All recordings on kernel $1; what is said of them goes to $2.
in_guest() {
	scripts/guest --timeout 280 "$1" -- bash tests/lib/complete.sh >"$2" 2>"$2.err" || true
	{
		echo "$1"
		cat "$2" "$2.err"
	} >"$2.all"
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=identity.sh
	. tests/lib/identity.sh
}

# The line of recording NAME on KERNEL, for count. Shows all if it fails.
recording() {
	cat "$BATS_FILE_TMPDIR/$1.all"
	line=$(sed -n "s/^$2: //p" "$BATS_FILE_TMPDIR/$1")
	[ -n "$line" ]
}

count() {
	identity__count "$1" "$line"
}

nothing_wrong() {
	recording "$1" "$2"
	[ "$(count status)" = 0 ]
	[ "$(count wrong)" = 0 ]
	[ "$(count gone)" = 0 ]
	# What has no id has a cookie.
	[ "$(count bare)" = 0 ]
}

all_there() {
	nothing_wrong "$1" "$2"
	[ "$(count missing)" = 0 ]
	[ "$(count unseen)" = 0 ]
	[ "$(count right)" = "$(count ids)" ]
}

# What is not there was counted as lost, and so is what the storm is short of.
losses_counted() {
	nothing_wrong "$1" "$2"
	[ "$(count rung)" = "$2" ]
	[ "$(count missing)" = 0 ]
	[ "$(count unseen)" -le "$(count lost)" ]
	[ $(($(count storm) + $(count lost))) -ge 200 ]
}

whole_machine() {
	all_there "$1" whole
	[ "$(count rung)" = "$2" ]
	[ "$(count mappings)" -ge 400 ]
	[ "$(count processes)" -ge 100 ]
	[ "$(count ids)" -ge 400 ]
	[ "$(count lost)" = 0 ]
}

# Most were cold indeed: read by $2.
cold_pages() {
	all_there "$1" cold
	[ "$(count "$2")" -ge 100 ]
}

@test "6.1: the whole machine, before and during: every id is there, none is wrong" { whole_machine 6.1 kprobe; }
@test "newest: the whole machine, before and during: every id is there, none is wrong" { whole_machine newest kprobe.multi; }

@test "6.1: ids on cold pages are completed in user space" { cold_pages 6.1 user; }
@test "newest: cold pages are read when they are mapped" { cold_pages newest faulted; }

brief() {
	recording "$1" brief-list
	[ "$(count wrong)" = 0 ]
	[ "$(count reason)" -gt 0 ]
}

@test "6.1: a cold mapping of a process that is gone has its id or a reason, never another id" { brief 6.1; }
@test "newest: a cold mapping of a process that is gone has its id or a reason, never another id" { brief newest; }

@test "6.1: kprobe is complete under a storm" {
	losses_counted 6.1 kprobe
	all_there 6.1 kprobe
	[ "$(count storm)" -eq 200 ]
}

@test "newest: kprobe is complete under a storm" {
	losses_counted newest kprobe
	all_there newest kprobe
	[ "$(count storm)" -eq 200 ]
}

@test "6.1: fentry loses nothing that is not counted" { losses_counted 6.1 fentry; }
@test "newest: fentry loses nothing that is not counted" { losses_counted newest fentry; }
@test "6.1: sys_exit loses nothing that is not counted" { losses_counted 6.1 sys_exit; }
@test "newest: sys_exit loses nothing that is not counted" { losses_counted newest sys_exit; }

@test "6.1: without BPF, what the kernel does not know is completed" {
	losses_counted 6.1 MMAP2
	all_there 6.1 MMAP2
}

@test "newest: without BPF, what the kernel does not know is completed" {
	losses_counted newest MMAP2
	all_there newest MMAP2
}
