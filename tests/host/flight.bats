#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# --overwrite: the last part of a recording, from memory, when it is asked for.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
	load ../lib/load.bash
	# A process that ends at once is identified while its pages are in memory, which those of a
	# disk's files are not always.
	memory__make
	cp "$tools/brief" "$memory"
}

teardown() {
	end_load
	recording__end
	memory__remove
}

# The pieces that the recorder holds: number and size, in no order.
pieces() {
	# Some may go meanwhile.
	find "/proc/$pid/fd" -lname '/memfd:perfstamp*' -exec stat -Lc '%i %s' {} + 2>/dev/null
}

lacks_piece() {
	if pieces | grep -q "^$1 "; then return 1; fi
}

# Until a piece that there is now has gone, which is after all that were before it.
await_overwriting() {
	local piece

	await holds 1
	piece=$(pieces | head -n 1)
	await lacks_piece "${piece%% *}"
}

holds() {
	[ "$(pieces | awk '{ n += $2 } END { print n + 0 }')" -ge "$1" ]
}

# The next file, whatever there is for it.
ask_for_file() {
	local had

	had=$(find . -name 'data.2*' | wc -l)
	kill -USR2 "$pid"
	await has_files $((had + 1))
}

# All perfs read it without a word, check has nothing against it, what the worker did has its
# names, and every thread with samples has one.
stands_alone() {
	local version

	for version in "${perfs[@]}"; do
		script_stands_alone "$version" "$1" || return 1
		# Of a file without samples it says so.
		[ -s "script.$version" ] || continue
		perf "$version" report --stdio -i "$1" >report.out 2>report.err
		[ ! -s report.err ] || { echo "perf $version report $1: $(cat report.err)" && return 1; }
		perf "$version" buildid-list -i "$1" >list.out 2>list.err
		[ ! -s list.err ] || { echo "perf $version buildid-list $1: $(cat list.err)" && return 1; }
	done
	check_finds_nothing "$1" || return 1
	cat script.newest >>all
}

# Each of data.* stands alone, no sample is in two, and all have as many as the recorder says.
are_a_series() {
	local file last=0 first newest n total=0

	n_files=0
	: >all
	for file in data.2*; do
		stands_alone "$file" || return 1
		samples "$file" | jq -s 'map(.time_ns) | min // 0, max // 0, length' | tr '\n' ' ' >times.out
		read -r first newest n <times.out || true
		grep -qF "perfstamp record: $file: $n samples, the last " record.err
		total=$((total + n))
		n_files=$((n_files + 1))
		[ "$n" -gt 0 ] || continue
		[ "$first" -gt "$last" ] || { echo "$first is in $file, and $last before it" && return 1; }
		last=$newest
	done
	[ ! -e data ] && [ ! -e .data.next ] || return 1
	# What it is named by began in the first piece.
	grep -q 'worker .*worker_' all || return 1
	echo "$total samples in $n_files files: $(tail -n 1 record.err)"
	grep -q "^\[ perfstamp record: $total samples, .* 0 lost; data" record.err
}

# A number of a file's header.
header_number() {
	"$perfstamp" dump --header "$1" | sed -n "s/.*[\" ]$2: \([0-9]*\).*/\1/p"
}

@test "on a signal and at the end: what is held stands alone, and nothing is in two files" {
	echo mine >data
	record_load --overwrite=1s
	await_overwriting
	[ "$(find . -name '*data*' | wc -l)" -eq 1 ]
	ask_for_file
	ask_for_file
	stop_load_recording
	[ "$(cat data)" = mine ]
	rm data
	are_a_series
	[ "$n_files" -eq 3 ]
	first=$(printf '%s\n' data.2* | head -n 1)
	[ "$(stat -c %a "$first")" = 600 ]
	[ "$(header_number "$first" file.number)" -eq 1 ]
	[ "$(header_number "$first" file.begin)" -gt 0 ]
	[ "$(header_number "$first" file.repeated-bytes)" -gt 0 ]
}

@test "by size, compressed; a command asks, and its answer says that the file is there" {
	mkfifo ctl ack
	start sleep 600 <>ctl
	exec 8<>ack
	record_load --overwrite=1M -z -g -F 2000 --switch-max-files 1 --control fifo:ctl,ack
	# Of the first two pieces the second cannot be without samples.
	await_overwriting
	await_overwriting
	echo snapshot >ctl
	read -r -t 120 answer <&8
	[ "$answer" = ack ]
	has_files 1
	first=$(echo data.2*)
	"$perfstamp" check "$first" >check.out
	[ "$(header_number "$first" file.overwritten)" -gt 0 ]
	await holds 150000
	echo evlist >ctl
	read -r -t 120 answer <&8
	echo snapshot >ctl
	read -r -t 120 answer <&8
	exec 8<&-
	[ ! -e "$first" ]
	stop_load_recording
	[ "$(find . -name 'data.2*' | wc -l)" -eq 1 ]
	grep -qx 'perfstamp record: event cpu-clock' record.err
	grep -q ' 3 files, 2 removed, ' record.err
	"$perfstamp" check data.2* >check.out
}

@test "of a process that runs already, by the kernel's own records" {
	start_worker -w -t 1 600000
	start "$perfstamp" record -e cpu-clock "${room[@]}" -o data --rung MMAP2 --overwrite=1s -p "${ids[0]}" 2>record.err
	await holds 1
	kill -USR1 "${ids[0]}"
	await_overwriting
	ask_for_file
	stop_recording INT
	[ "$status" -eq 0 ]
	are_a_series
	[ "$n_files" -eq 2 ]
}

@test "where a file cannot be written, it is told, and what is held is in the next one" {
	start_worker -w -t 1 600000
	mkdir out
	start "$perfstamp" record -e cpu-clock "${room[@]}" -o out/data --overwrite -p "${ids[0]}" 2>record.err
	await holds 1
	kill -USR1 "${ids[0]}"
	await holds 150000
	mv out away
	kill -USR2 "$pid"
	await grep -q 'cannot write out/.data.next: .*; the records stay in memory' record.err
	mkdir out
	stop_recording INT
	[ "$status" -eq 0 ]
	stands_alone out/data.2*
	[ "$(header_number out/data.2* file.overwritten)" = "" ]
	[ "$(samples out/data.2* | wc -l)" = "$(sed -n 's/^\[ perfstamp record: \([0-9]*\) samples.*/\1/p' record.err)" ]
	start "$perfstamp" record -e cpu-clock -o none/data --overwrite -p "${ids[0]}" 2>record.err
	await is_over
	grep -q 'cannot write none/.data.next: No such file or directory' record.err
}

@test "a command that cannot be run leaves no file, and what was there" {
	echo mine >data
	run -1 --separate-stderr "$perfstamp" record -e cpu-clock -o data --overwrite -- ./nothing
	[ "$(cat data)" = mine ]
	[ "$(find . -name 'data*' | wc -l)" -eq 1 ]
}

@test "what does not go together is refused" {
	for when in 1M 1s; do
		run -2 "$perfstamp" record --overwrite --switch-output=$when true
		[[ $output == *'writes a file only on request'* ]]
	done
	run -2 "$perfstamp" record --overwrite -o - true
	[[ $output == *'standard output has no name'* ]]
	run -2 "$perfstamp" record --overwrite --tail-synthesize true
	[[ $output == *'cannot be combined'* ]]
	run -2 "$perfstamp" record --overwrite --max-size 5M true
	[[ $output == *'keeps only the latest records'* ]]
	for bad in 3 1000K 0s 10x; do
		run -2 "$perfstamp" record --overwrite="$bad" true
		[[ $output == *'--overwrite requires a size'* ]]
	done
	mkfifo pipe
	run -1 "$perfstamp" record -e cpu-clock -o pipe --overwrite true
	[[ $output == *'pipe is not a regular file'* ]]
}
