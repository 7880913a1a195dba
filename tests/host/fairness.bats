#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What one container may cost another one in user space: processes that read identities, and their
# turns. tests/guest/fairness.bats has the kernel side.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
	servers=()
	hierarchy=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)
	[ -n "$hierarchy" ] || skip "cgroup2 is not mounted"
	mine=$hierarchy/perfstamp-fairness.$BASHPID
	mkdir "$mine"
	mkdir "$mine/flood.service" "$mine/flood.service/below" "$mine/quiet.service"
	mkfifo hold
	exec 9<>hold
}

teardown() {
	local server

	# Before the processes that wait for them, which could not be ended otherwise.
	for server in "${servers[@]}"; do
		kill -USR2 "$server"
		kill -TERM "$server"
	done
	exec 9>&-
	recording__end
	[ -z "$mine" ] || AWAIT_SECONDS=20 await remove_cgroups
}

remove_cgroups() {
	rmdir "$mine/flood.service/below" "$mine"/*.service "$mine" 2>/dev/null
	[ ! -d "$mine" ]
}

# start_in CGROUP COMMAND...: its input is the fifo.
start_in() {
	# shellcheck disable=SC2016 # for that shell
	start bash -c 'echo $$ >"$0/cgroup.procs"; exec "$@" <hold 9<&-' "$mine/$1" "${@:2}"
}

# How many reading processes of the recorder $recorder wait for a server.
n_waiting() {
	local reader n=0

	for reader in $(pgrep -P "$recorder" -x perfstamp-read); do
		if grep -q request_wait "/proc/$reader/wchan"; then n=$((n + 1)); fi
	done
	[ "$n" -ge "$1" ]
}

is_silent() {
	grep -q silent "server.$1"
}

is_completed() {
	has_record data ".type == \"MMAP2\" and (.path | endswith(\"/$1\")) and .source == \"user\""
}

@test "servers of one container that do not answer leave a reader to another container" {
	local i mappers=() recorder n=6

	for ((i = 1; i <= n; i++)); do
		mkdir "mounted.$i"
		start "$tools/silent_fs" "mounted.$i" "$tools/libswapped-1.so" >"server.$i"
		servers+=("$pid")
		await grep -q ready "server.$i"
		# In two cgroups of the one container.
		if ((i % 2)); then where=flood.service; else where=flood.service/below; fi
		start_in "$where" "$tools/mapper" "mmap:$PWD/mounted.$i/file" >"mapper.$i"
		await grep -q ready "mapper.$i"
		mappers+=("$(awk '{ print $2 }' "mapper.$i")")
		kill -USR1 "${servers[-1]}"
		await is_silent "$i"
	done
	start_recording -p "$(IFS=, && echo "${mappers[*]}"),$BASHPID"
	recorder=$pid
	# Half of the readers: the flood gets no more.
	await n_waiting 4
	"$tools/elf_gen" other-endian 0a0b0c0d0e0f another
	await is_no_longer_young another
	start_in quiet.service "$tools/mapper" "mmap:$PWD/another" >another.out
	await grep -q ready another.out
	await is_completed another
	run ! n_waiting 5
	pid=$recorder
	stop_recording INT
	[ "$status" -eq 0 ]
}
