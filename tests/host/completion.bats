#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What is read beside the recording: a file system whose server does not answer keeps
# neither samples nor the end waiting, and what it tells later is not lost.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

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
	kill -USR1 "$server"
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

# The process that reads, of the recorder $pid.
reader() {
	ps -o pid= --ppid "$pid" | head -n 1 | tr -d ' '
}

is_gone() {
	! kill -0 "$1" 2>/dev/null
}

has_answer() {
	! ps -o wchan= -p "$(reader)" | grep -q request_wait
}

@test "a server that never answers: samples go on, the end does not wait, nothing is left behind" {
	local reader before
	start_recording -p "$mapper,${ids[0]}" 2>record.err
	reader=$(reader)
	[ -n "$reader" ]
	sleep 1.5
	before=$EPOCHREALTIME
	stop_recording INT
	[ "$status" -eq 0 ]
	awk -v before="$before" -v after="$EPOCHREALTIME" \
		'BEGIN { print after - before; exit !(after - before < 3) }'
	grep -q "1 mapping could not be completed" record.err
	[ "$(workers_of newest data)" != "" ]
	[ "$(maps_of_file | jq -r '"\(.reason) \(.build_id)"')" = "not-resident null" ]
	"$perfstamp" check data | grep -q '^wrong: missed-identities: .*: 1$'
	# It waits where no signal reaches it, and is gone as soon as it is answered.
	kill -USR2 "$server"
	await is_gone "$reader"
}

@test "what a server tells later is in a second record, and counts for the mapping" {
	local version
	start_recording -p "$mapper,${ids[0]}"
	sleep 1
	kill -USR2 "$server"
	await has_answer
	sleep 1
	stop_recording INT
	is_valid data
	[ "$(maps_of_file | jq -r '"\(.late) \(.time_ns > 0) \(.source)"' | xargs)" = \
		"null false null true true user" ]
	"$perfstamp" dump --header data | grep -q 'maps.late: 1'
	# Once, with its identity.
	[ "$("$perfstamp" list --path '*/mounted/file' data | wc -l)" -eq 1 ]
	"$perfstamp" list --path '*/mounted/file' data | grep -q '^[0-9a-f]\{40\} '
	for version in "${perfs[@]}"; do
		perf "$version" script --show-mmap-events -i data | grep "mounted/file" | grep -c '<[0-9a-f]\{40\}>'
	done
}

@test "one device that does not answer keeps no other waiting" {
	# What is not in memory on another device: of this test's own.
	cp "$tools/libswapped-2.so" cold.so
	sync -f cold.so
	start_recording -p "$mapper,${ids[0]},$BASHPID"
	sleep 1.2
	dd if=cold.so iflag=nocache count=0 status=none
	"$tools/mapper" "mmap:$PWD/cold.so" < <(sleep 0.5) >/dev/null
	stop_recording INT
	[ "$("$perfstamp" dump --json data |
		jq -r 'select(.type == "MMAP2" and (.path | endswith("/cold.so"))) | .source')" = user ]
	[ "$(maps_of_file | jq -r .reason)" = not-resident ]
}
