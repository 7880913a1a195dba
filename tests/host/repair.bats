#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# check --repair: whatever happened to a recording, each stock perf opens the clean copy
# and says nothing on stderr, and the copy has what was whole before.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup_file() {
	load ../lib/recording.bash
	record -q -o "$BATS_FILE_TMPDIR/data" -- "$tools/worker" -t 1 -c 100 >/dev/null
	record -q -z -o "$BATS_FILE_TMPDIR/packed" -- "$tools/worker" -t 1 100 >/dev/null
	record -q -o - -- "$tools/worker" -t 1 100 2>/dev/null | cat >"$BATS_FILE_TMPDIR/pipe"
	perf newest record -q -N -e cpu-clock -g -o "$BATS_FILE_TMPDIR/theirs" -- \
		"$tools/worker" -t 1 100 >/dev/null 2>&1
}

setup() {
	load ../lib/recording.bash
	cp "$BATS_FILE_TMPDIR"/{data,packed,pipe,theirs} .
	# Says nothing of a build-id that was damaged: that cannot be told from another one.
	not_found='^No kallsyms or vmlinux with build-id'
}

teardown() {
	recording__end
}

# is_clean FILE: no perf has anything to say, and neither has check.
is_clean() {
	local version

	for version in "${perfs[@]}"; do
		run -0 --separate-stderr perf "$version" script -i "$1"
		echo "perf $version: $stderr"
		run -1 grep -q "[^ ]" <<<"$(grep -v "$not_found" <<<"$stderr")"
	done
	run -0 "$perfstamp" check "$1"
}

# The records of FILE that perf's user space did not make, without their places.
records_of() {
	"$perfstamp" dump --raw --json "$1" 2>/dev/null | jq -r 'select(.pid) | .raw'
}

# flip FILE OFFSET: inverts a byte.
flip() {
	local byte
	byte=$(od -An -t u1 -j "$2" -N 1 "$1")
	# shellcheck disable=SC2059 # an octal escape
	printf "\\$(printf %o $((byte ^ 255)))" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

@test "a sound recording of any form is copied whole, and left as it was" {
	local form
	for form in data packed pipe theirs; do
		sha256sum "$form" >sum
		run -0 "$perfstamp" check --repair "$form.copy" "$form"
		[[ $output == "$form: "*" records kept, 0 dropped (0 bytes), in $form.copy"* ]]
		sha256sum -c --quiet sum
		records_of "$form" >before
		records_of "$form.copy" >after
		cmp before after
		is_clean "$form.copy"
		[ "$(stat -c %a "$form.copy")" = 600 ]
	done
}

@test "a recording that was cut off anywhere becomes a file with all that is whole" {
	local form size
	RANDOM=3
	for form in data pipe theirs; do
		size=$(stat -c %s "$form")
		for _ in 1 2; do
			head -c $((1500 + (RANDOM << 15 | RANDOM) % (size - 1500))) "$form" >part
			rm -f copy
			run -0 "$perfstamp" check --repair copy part
			echo "$form at $(stat -c %s part): $output"
			records_of part >before
			records_of copy >after
			cmp before after
			is_clean copy
		done
	done
}

@test "a recording with damaged bytes keeps the records around them" {
	local form size before after
	RANDOM=5
	for form in data packed theirs; do
		size=$(stat -c %s "$form")
		before=$(records_of "$form" | wc -l)
		for ((n = 0; n < ${DAMAGES:-2}; n++)); do
			cp "$form" damaged
			flip damaged $((1500 + (RANDOM << 15 | RANDOM) % (size - 1500)))
			rm -f copy
			run -0 "$perfstamp" check --repair copy damaged
			echo "$form: $output"
			after=$(records_of copy | wc -l)
			# A compressed round is lost as a whole.
			[ "$form" = packed ] || [ "$after" -ge $((before - 2)) ]
			is_clean copy
		done
	done
}

@test "a hole is told, with its place" {
	local offset
	offset=$("$perfstamp" dump --json data | jq -s '.[40].offset')
	dd if=/dev/zero of=data bs=1 seek="$offset" count=300 conv=notrunc status=none
	run -1 "$perfstamp" check data
	run -0 "$perfstamp" check --repair copy --json data
	echo "$output"
	[ "$(jq -r '.drops[0].reason' <<<"$output")" = damage ]
	[ "$(jq -r '.drops[0].offsets[0]' <<<"$output")" = "$offset" ]
	[ "$(jq -r '.drops[0].bytes' <<<"$output")" -ge 296 ]
	is_clean copy
	[[ $("$perfstamp" dump -H copy) == *"repair.dropped-bytes: "* ]]
}

@test "the recording of a recorder that was killed becomes a finished one" {
	local worker
	start_recording -- "$tools/worker" 60000
	await has_samples data 50
	worker=$(pgrep -P "$pid" -x worker)
	kill -KILL "$pid"
	wait "$pid" || true
	# It outlives its recorder.
	kill -KILL "$worker"
	run -1 "$perfstamp" check data
	[[ $output == *"wrong: unfinished: "* ]]
	# Its event has the name that its attributes tell, there and in the copy.
	[[ $("$perfstamp" report -i data) = *"Samples: "*" of event 'cpu-clock'"* ]]
	run -0 "$perfstamp" check --repair copy data
	is_clean copy
	[ "$(perf newest evlist -i copy | head -n 1)" = cpu-clock ]
	[ "$(samples copy | wc -l)" -gt 10 ]
}

@test "nothing is overwritten unasked, and the recording itself never" {
	echo mine >copy
	run -1 "$perfstamp" check --repair copy data
	[[ $output == "perfstamp check: copy: exists; -f replaces it" ]]
	[ "$(cat copy)" = mine ]
	run -0 "$perfstamp" check -f --repair copy data
	is_clean copy
	ln -s data link
	ln data hard
	for copy in data ./data link hard; do
		run -1 "$perfstamp" check -f --repair "$copy" data
		[[ $output == *": is the input file, which is never changed" ]]
	done
	cmp data "$BATS_FILE_TMPDIR/data"
	run -1 "$perfstamp" check --repair copy2 - < <(cat data)
	[[ $output == "perfstamp check: standard input: not a regular file: "* ]]
	run -0 "$perfstamp" check --repair copy3 - <data
	run -2 "$perfstamp" check -f data
}

@test "what is beyond repair is refused, and leaves nothing behind" {
	local name
	head -c 200 data >short
	head -c 5000 /dev/urandom >noise
	for name in short noise; do
		run -1 "$perfstamp" check --repair copy "$name"
		[[ $output == "perfstamp check: $name: offset "* ]]
	done
	run -1 "$perfstamp" check --repair /dev/full/copy data
	run -1 bash -c "ulimit -f 8; trap '' XFSZ; exec '$perfstamp' check --repair copy data"
	[[ $output == *"copy: cannot write: File too large" ]]
	[ -z "$(find . -name 'copy*')" ]
}
