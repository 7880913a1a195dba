#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Processes that share memory: what one of them maps is recorded for the memory's owner as well.
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
