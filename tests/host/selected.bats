#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What report selects, and what its percentages refer to, held against stock perf.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	local perfstamp=$PWD/${OUTPUT:-.output}/perfstamp tools=$PWD/${OUTPUT:-.output}/tools

	cd "$BATS_FILE_TMPDIR" || return
	cp "$tools/swapped-1" server
	cat >work <<-'END'
		./server 150
		i=0
		while [ $i -lt 50000 ]; do i=$((i + 1)); done
	END
	"$perfstamp" record -q -e cpu-clock -F 1999 -o server.data -- sh work
}

setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	load ../lib/recording
	files=$BATS_FILE_TMPDIR
}

teardown() {
	recording__end
}

report() {
	"$perfstamp" report --no-debuginfod "$@"
}

# The percentage of the first row, by PROGRAM...
first_percent() {
	"$@" 2>/dev/null | sed -n 's/^ *\([0-9.]*\)%.*/\1/p' | head -n 1
}

@test "percentages are of all samples, or of the selected ones, as perf's are" {
	data=$files/server.data
	for select in '-s comm -c server' '-s dso -d libc.so.6'; do
		for of in '' --percentage=absolute --percentage=relative; do
			# shellcheck disable=SC2086 # several words
			ours=$(first_percent report $select $of "$data")
			# shellcheck disable=SC2086
			perfs=$(first_percent perf 6.12 report -i "$data" --stdio $select $of)
			echo "$select $of: $ours, perf $perfs"
			[ -n "$ours" ]
			[ "$ours" = "$perfs" ]
			[ "$of" != --percentage=relative ] || [ "$ours" = 100.00 ]
			[ "$of" = --percentage=relative ] || [ "$ours" != 100.00 ]
		done
	done
}

@test "a report without samples says so" {
	run report -c nosuch "$files/server.data"
	[ "$status" -eq 0 ]
	[[ $output == *"warning: $files/server.data: no samples match the options that select samples"* ]]
	"$perfstamp" record -q -e cpu-clock -D -1 -o empty.data -- true
	run report empty.data
	[ "$status" -eq 0 ]
	[[ $output == *"warning: empty.data: the recording has no samples" ]]
}

@test "rows by what no sample has are refused, with the option that records it" {
	for key in cpu:--sample-cpu cgroup:--all-cgroups; do
		run report -s "${key%:*}" "$files/server.data"
		[ "$status" -eq 1 ]
		[[ $output == *"its samples have no ${key%:*}; "*"${key#*:}"* ]] ||
			[[ ${output,,} == *"its samples have no ${key%:*}; "*"${key#*:}"* ]]
	done
	"$perfstamp" record -q -e cpu-clock --sample-cpu -o with-cpu.data -- "$files/server" 20
	report -s cpu with-cpu.data | grep -E '% +0[0-9][0-9]$'
}

@test "a report of a recording that has lost records says so" {
	"$tools/week" week.data
	run -0 --separate-stderr "$perfstamp" report --no-debuginfod week.data
	# shellcheck disable=SC2154 # set by run
	[[ $stderr == *"warning: 1234 records were lost while recording (10.7% of samples and lost records together)"* ]]
}
