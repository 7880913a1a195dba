#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What is read beside the recording: a file system whose server does not answer keeps
# neither samples nor the end waiting, and what it tells later is not lost.
# shellcheck disable=SC2154,SC2030,SC2031 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
	mkdir mounted
	start "$tools/silent_fs" mounted "$tools/libswapped-1.so" >server.out
	server=$pid
	await grep -q ready server.out
	# Mapped, but not touched: no page of it is in memory.
	mkfifo hold
	exec 9<>hold
	start bash -c "exec '$tools/mapper' 'mmap:$PWD/mounted/file' <hold" >mapper.out
	await grep -q ready mapper.out
	read -r _ mapper <mapper.out
	start_worker -t 1 -c 100000
	silence_server
}

# Whoever asks from now on waits.
silence_server() {
	local before

	before=$(grep -c silent server.out || true)
	kill -USR1 "$server"
	await is_silent_again "$before"
}

is_silent_again() {
	[ "$(grep -c silent server.out)" -gt "$1" ]
}

# Before who waits for it, which could not be ended otherwise.
teardown() {
	kill -USR2 "$server"
	kill -TERM "$server"
	exec 9>&-
	recording__end
}

# The maps of the file on the silent file system, in the recording.
maps_of_file() {
	"$perfstamp" dump --json data |
		jq -c 'select(.type == "MMAP2" and (.path | endswith("/mounted/file")))'
}

# The processes that read, of the recorder $pid.
readers() {
	pgrep -P "$pid" -x perfstamp-read
}

# The one that waits for the server.
waits_for_server() {
	for reader in $(readers); do
		if grep -q request_wait "/proc/$reader/wchan"; then return; fi
	done
	return 1
}

# Maps NAME, which the kernel side leaves to user space: it is of another byte order.
map_foreign() {
	"$tools/elf_gen" other-endian 0a0b0c0d0e0f "$1"
	await is_no_longer_young "$1"
	start bash -c "exec '$tools/mapper' 'mmap:$PWD/$1' <hold" >"$1.out"
	await grep -q ready "$1.out"
}

# Whether data tells of NAME what user space has read.
is_completed() {
	has_record data ".type == \"MMAP2\" and (.path | endswith(\"/$1\")) and .source == \"user\""
}

@test "a server that never answers: samples go on, the end does not wait, nothing is left behind" {
	local reader begin
	start_recording -p "$mapper,${ids[0]}" 2>record.err
	await waits_for_server
	await has_samples data 100
	begin=$SECONDS
	stop_recording INT
	[ "$status" -eq 0 ]
	# It never would.
	[ $((SECONDS - begin)) -lt 60 ]
	grep -q "[1-9] mappings\? could not be completed" record.err
	[ "$(workers_of newest data)" != "" ]
	[ "$(maps_of_file | jq -r '"\(.reason) \(.build_id)"' | sort -u)" = "not-resident null" ]
	"$perfstamp" check data | grep -q '^wrong: missed-identities: .*: [1-9]'
	# It waits where no signal reaches it, and is gone as soon as it is answered.
	kill -USR2 "$server"
	await is_over "$reader"
}

# What is in memory has an identity, and is to be copied.
@test "a server that never answers: who captures what is on it does not wait for it either" {
	kill -USR2 "$server"
	cat mounted/file >/dev/null
	silence_server
	start_recording -p "$mapper,${ids[0]}" --capture --buildid-dir store 2>record.err
	await has_samples data 100
	stop_recording INT
	[ "$status" -eq 0 ]
	cat record.err
	# The worker's, which are on a disk; as many as a busy one has taken by then.
	grep -q 'captured [0-9]* DSOs* .* missed' record.err
	[ "$(workers_of newest data)" != "" ]
	run ! grep -r swapped store
}

@test "what a server tells later is in a second record, and counts for the mapping" {
	local version
	start_recording -p "$mapper,${ids[0]}"
	await waits_for_server
	await has_record data '.type == "MMAP2" and (.path | endswith("/mounted/file"))'
	kill -USR2 "$server"
	await has_record data '.type == "MMAP2" and (.path | endswith("/mounted/file")) and .late'
	stop_recording INT
	is_valid data
	[ "$(maps_of_file | jq -r '"\(.late) \(.time_ns > 0) \(.source)"' | sort -u | xargs)" = \
		"null false null true true user" ]
	"$perfstamp" dump --header data | grep -q 'maps.late: [1-9]'
	# Once, with its identity.
	[ "$("$perfstamp" list --path '*/mounted/file' data | wc -l)" -eq 1 ]
	"$perfstamp" list --path '*/mounted/file' data | grep -q '^[0-9a-f]\{40\} '
	for version in "${perfs[@]}"; do
		perf "$version" script --show-mmap-events -i data | grep "mounted/file" | grep -c '<[0-9a-f]\{40\}>'
	done
}

@test "one device that does not answer keeps no other waiting" {
	start_recording -p "$mapper,${ids[0]},$BASHPID"
	recorder=$pid
	await waits_for_server
	map_foreign another
	await is_completed another
	pid=$recorder
	stop_recording INT
	[ "$(maps_of_file | jq -r .reason | sort -u)" = not-resident ]
}

# Whether one of them waits for a page of memory that a server has to fill.
waits_for_page() {
	for reader in $(readers); do
		if grep -q 'request_wait\|folio_\|_page' "/proc/$reader/wchan"; then return; fi
	done
	return 1
}

# The recorder reads nothing before both are done.
@test "a file of a silent server in place of a vDSO keeps only one of its readers waiting" {
	kill -USR2 "$server"
	start_recording -p "${ids[0]},$BASHPID"
	recorder=$pid
	kill -STOP "$recorder"
	start bash -c "exec '$tools/mapper' 'vdso:$PWD/mounted/file' <hold" >moved.out
	await grep -q ready moved.out
	silence_server
	kill -CONT "$recorder"
	pid=$recorder
	await waits_for_page
	map_foreign another
	await is_completed another
	pid=$recorder
	stop_recording INT
	[ "$status" -eq 0 ]
	has_record data '.path == "[vdso]" and .addr == 536870912 and .build_id == null'
}

# As a disk is that many wait for: who reads from it stands still.
@test "a disk that takes longer than servers may is asked on" {
	local stopped
	start_recording -p "${ids[0]},$BASHPID"
	recorder=$pid
	stopped=$(readers)
	# shellcheck disable=SC2086 # there may be several
	kill -STOP $stopped
	map_foreign first
	sleep 9
	map_foreign second
	await is_completed second
	run ! is_completed first
	# shellcheck disable=SC2086
	kill -CONT $stopped
	await is_completed first
	pid=$recorder
	stop_recording INT
	[ "$status" -eq 0 ]
}

@test "a server that never answers: what has no identity is not captured, and the line on captures says so" {
	start_recording -p "$mapper" --capture --buildid-dir store 2>record.err
	await waits_for_server
	stop_recording INT
	[ "$status" -eq 0 ]
	cat record.err
	grep -q 'captured [0-9]* DSOs* .* missed.*; [1-9][0-9]* mappings* ha[sv]e* no identity to capture by (perfstamp check)$' record.err
	"$perfstamp" check data | grep -q '^wrong: missed-identities: .*: [1-9]'
}

# Whether what is written now has a time after this one, in nanoseconds: a file's time is that of
# the clock's last tick.
is_written_after() {
	touch probe
	[ "$(date -r probe +%s%N)" -gt "$1" ]
}

@test "what was written to before it was read is not taken for what was mapped, by any clock" {
	local clock recorder
	for clock in monotonic realtime; do
		start_recording -k "$clock" --rung MMAP2 -p "${ids[0]},$BASHPID"
		recorder=$pid
		kill -STOP "$recorder"
		map_foreign "by-$clock"
		await is_written_after "$(date +%s%N)"
		"$tools/elf_gen" other-endian 0f0e0d0c0b0a other
		cat other >"by-$clock"
		kill -CONT "$recorder"
		await has_record data ".type == \"MMAP2\" and (.path | endswith(\"/by-$clock\"))"
		pid=$recorder
		stop_recording INT
		[ "$status" -eq 0 ]
		"$perfstamp" dump --json data | jq -r "select(.type == \"MMAP2\" and
			(.path | endswith(\"/by-$clock\"))) | .build_id // .cookie // .reason" >told
		cat told
		run ! grep -q '[0-9]' told
	done
}
