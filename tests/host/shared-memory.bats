#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Processes that share memory: what one of them maps is recorded for the memory's owner as well. A
# process whose main thread has exited: its other threads have the memory.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

teardown() {
	recording__end
	[ -z "${cgroup-}" ] || rmdir "$cgroup" 2>/dev/null || true
}

# home_of PID FILE: cgroup and mount namespace of its mapping of this file.
home_of() {
	"$perfstamp" dump --json data | jq -c --arg file "$2" \
		"select(.type == \"MMAP2\" and .pid == $1 and (.path | endswith(\"/\" + \$file))) | [.cgroup_id, .mnt_ns]"
}

@test "what a process maps for another one has the cgroup and namespace of each" {
	local mount=/sys/fs/cgroup owner mapper own mapped
	[ "$(stat -fc %T "$mount")" = cgroup2fs ] || mount=/sys/fs/cgroup/unified
	[ "$(stat -fc %T "$mount")" = cgroup2fs ] || skip "cgroup2 is not mounted"
	cgroup=$mount/perfstamp-test-$$
	mkdir "$cgroup"
	cp "$tools/brief" code
	record -o data -- "$tools/shared_memory" "$cgroup" code >pids
	read -r owner mapper <pids
	own=$(home_of "$owner" shared_memory)
	mapped=$(home_of "$mapper" code)
	[ "$(home_of "$owner" code)" = "$own" ]
	[ "${mapped%,*}" = "[$(stat -c %i "$cgroup")" ]
	[ "${mapped%,*}" != "${own%,*}" ]
	[ "${mapped#*,}" != "${own#*,}" ]
}

# Maps FILE in a process whose main thread has exited; its pid is in $pid.
map_outliving() {
	mkfifo hold
	exec 9<>hold
	start bash -c "exec '$tools/mapper' -x 'mmap:$1' <hold" >mapper.out
	await grep -q ready mapper.out
}

@test "a process whose main thread has exited has its mappings in a snapshot from /proc" {
	map_outliving "$tools/libswapped-1.so"
	start_recording --rung MMAP2 -p "$pid"
	stop_recording INT
	[ "$status" -eq 0 ]
	"$perfstamp" list --user data
	"$perfstamp" list --user data | grep -q '/mapper$'
	"$perfstamp" list --user data | grep -q '^[0-9a-f]\{40\} .*/libswapped-1.so$'
}

@test "a file that is mapped after the main thread has exited is completed by user space" {
	local file=$PWD/foreign
	# The kernel side leaves a file of another byte order to user space.
	"$tools/elf_gen" other-endian 0a0b0c0d0e0f foreign
	await is_no_longer_young foreign
	start_recording -p "$BASHPID"
	recorder=$pid
	map_outliving "$file"
	await has_record data ".type == \"MMAP2\" and .path == \"$file\" and .source == \"user\""
	pid=$recorder
	stop_recording INT
	[ "$status" -eq 0 ]
}
