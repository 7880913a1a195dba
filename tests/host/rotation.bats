#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A recording in several files: each stands alone, and together they have every sample
# once. KILLS is how many recorders are killed at random moments, ROUNDS how often other faults
# happen.
# shellcheck disable=SC2154,SC2030,SC2031 # the variables of tests/lib/recording.bash; a test is a shell

setup() {
	load ../lib/recording.bash
	load ../lib/load.bash
	# A process that ends at once is identified while its pages are in memory, which those of a
	# disk's files are not always.
	memory__make
	cp "$tools/brief" "$memory"
	KILLS=${KILLS:-5}
	judges=("${perfs[@]}")
}

teardown() {
	end_load
	recording__end
	memory__remove
	umount -l out 2>/dev/null || true
}

is_there() {
	[ -n "$(find "$1" -name "$2")" ]
}

has_grown() {
	[ "$(stat -c %s data)" -gt "$1" ]
}

# The next file N times, each when the one before is there and has something of its own.
switch() {
	local n had

	for ((n = 0; n < $1; n++)); do
		had=$(find . -name 'data.2*' | wc -l)
		await has_grown $(($(stat -c %s data) + 4096))
		kill -USR2 "$pid"
		await has_files $((had + 1))
	done
}

# Opens in all perfs without a word, and check has nothing against it; what the worker and
# its threads did is resolved by name in FILE alone, and no sample is in no mapping.
stands_alone() {
	local version

	for version in "${judges[@]}"; do
		script_stands_alone "$version" "$1" || return 1
	done
	check_finds_nothing "$1"
}

# Each of data.* stands alone; their samples are each in one of them, in order, and as
# many as the recorder says. Sets n_files.
are_a_series() {
	local file last=0 first newest total=0

	n_files=0
	for file in data.2*; do
		echo "$file"
		stands_alone "$file" || return 1
		samples "$file" | jq -s 'map(.time_ns) | min // 0, max // 0, length' | tr '\n' ' ' >"times.$file"
		read -r first newest n <"times.$file" || true
		total=$((total + n))
		n_files=$((n_files + 1))
		[ "$n" -gt 0 ] || continue
		[ "$first" -gt "$last" ] || { echo "$first is in $file, and $last before it" && return 1; }
		last=$newest
	done
	[ ! -e data ] && [ ! -e .data.next ] || return 1
	echo "$total samples in $n_files files: $(tail -n 1 record.err)"
	grep -q "^\[ perfstamp record: $total samples, .* 100% of maps of files identified, 0 lost; data\.\*: $n_files files, " record.err
}

@test "on a signal: each file stands alone, and no sample is in two or in none" {
	record_load --switch-output
	switch 4
	stop_load_recording
	are_a_series
	[ "$n_files" -eq 5 ]
	# What one of them is told of the others.
	"$perfstamp" dump --header "$(printf '%s\n' data.2* | tail -n 1)" >header
	grep -q 'file.number: 5' header
	grep -q 'file.seam-ns: [1-9]' header
	# Of what began in the first the others know, too.
	for file in data.2*; do
		perf newest script -i "$file" -F comm,ip,sym >>all
	done
	[ "$(grep -c 'worker .*worker_' all)" -gt 10 ]
}

@test "by time, compressed" {
	judges=(6.1)
	record_load --switch-output=1s -z
	await has_files 3
	stop_load_recording
	are_a_series
}

@test "by size, and the kernel's own records" {
	judges=(newest)
	record_load --switch-output=32K --rung MMAP2
	await has_files 3
	stop_load_recording
	are_a_series
	# A file is not switched before it is as large as was asked for.
	for file in data.2*; do
		[ "$(stat -c %s "$file")" -gt 30000 ] || [ "$file" = "$(printf '%s\n' data.2* | tail -n 1)" ]
	done
}

@test "of a process that runs already: its threads and mappings are known in each" {
	start_worker -w -t 1 600000
	start "$perfstamp" record -e cpu-clock "${room[@]}" -o data --switch-output -p "${ids[0]}" 2>record.err
	await has_records data
	kill -USR1 "${ids[0]}"
	switch 3
	stop_recording INT
	[ "$status" -eq 0 ]
	are_a_series
	[ "$n_files" -eq 4 ]
}

@test "--switch-max-files: the newest are there, and nothing else was touched" {
	judges=(newest)
	touch data.2020010100000000 data.x
	record_load --switch-output --switch-max-files 2
	switch 2
	first=$(find . -name 'data.202[1-9]*' | sort | head -n 1)
	kill -USR2 "$pid"
	await test ! -e "$first"
	stop_load_recording
	[ "$(find . -name 'data.202[1-9]*' | wc -l)" -eq 2 ]
	[ -e data.2020010100000000 ] && [ -e data.x ]
	grep -q ' [1-9] removed, ' record.err
	rm data.2020010100000000
	for file in data.2*; do
		stands_alone "$file"
	done
}

@test "--keep: the oldest of this name go, and of an earlier recording, and nothing that is not ours" {
	judges=(newest)
	record_load --switch-output
	switch 1
	stop_load_recording
	earlier=(data.2*)
	# Neither a file of perf's nor one of another name, though both are older than all.
	perf newest record -q -e cpu-clock -o data.2020010100000000 true >/dev/null 2>&1
	cp "${earlier[0]}" other.2020010100000000
	cp "${earlier[0]}" data.202001010000000
	record_load --switch-output --keep 1B
	kill -USR2 "$pid"
	await test ! -e "${earlier[1]}"
	stop_load_recording
	[ -e data.2020010100000000 ] && [ -e other.2020010100000000 ] && [ -e data.202001010000000 ]
	for file in "${earlier[@]}"; do
		[ ! -e "$file" ]
	done
	rm data.2020*
	[ "$(find . -name 'data.2*' | wc -l)" -eq 1 ]
	stands_alone data.2*
	touch -d '3 days ago' data.2*
	file=$(echo data.2*)
	record_load --switch-output --keep 1G --keep 2d
	kill -USR2 "$pid"
	await test ! -e "$file"
	stop_load_recording
	[ "$(find . -name 'data.2*' | wc -l)" -eq 2 ]
	grep -q ' 2 files, 1 removed, ' record.err
}

lose_directory() {
	judges=(newest)
	mkdir out
	start_worker -w -t 1 60000
	start "$perfstamp" record -e cpu-clock -m 1M -o out/data --switch-output -p "${ids[0]}" 2>record.err
	await has_records out/data
	kill -USR1 "${ids[0]}"
	mv out away
	kill -USR2 "$pid"
	await grep -q 'recording continues without a file, and tries every second' record.err
	mkdir out
	await grep -q 'out/data can be written again: [0-9]* samples are in no file' record.err
	kill -USR2 "$pid"
	await is_there out 'data.2*'
	stop_recording INT
	[ "$status" -eq 0 ]
	for file in out/data.2* away/data; do
		stands_alone "$file"
	done
}

@test "the directory vanishes, and comes back: recording goes on, and tells what is in no file" {
	each_round lose_directory
}

# all_are_counted N: the last line has N samples, and those that are in no file are lost.
all_are_counted() {
	local line samples lost no_file

	line=$(grep '^\[ perfstamp record: ' record.err)
	[[ $line =~ ^'[ perfstamp record: '([0-9]+)' sample' ]] && samples=${BASH_REMATCH[1]}
	[[ $line =~ ', '([0-9]+)' lost;' ]] && lost=${BASH_REMATCH[1]}
	no_file=$(sed -n 's/.* can be written again: \([0-9]*\) samples are in no file$/\1/p' record.err |
		paste -sd +)
	echo "$samples samples, $lost lost, in no file ${no_file:-0}"
	[ "$samples" -eq "$1" ] && [ "$lost" -ge $((${no_file:-0})) ]
}

fill_disk() {
	judges=(newest)
	# shellcheck disable=SC2016 # what that shell is to expand
	start_worker -w -t 1 60000
	mkdir out
	mount -t tmpfs -o size=1M none out
	start "$perfstamp" record -e cpu-clock -F 5000 -m 1M -o out/data --switch-output=500K -p "${ids[0]}" 2>record.err
	await has_records out/data
	kill -USR1 "${ids[0]}"
	await grep -q 'No space left on device; recording continues without a file' record.err
	mkdir moved
	for file in out/data*; do
		mv "$file" moved
	done
	await grep -q 'out/data can be written again: [0-9]* samples are in no file' record.err
	stop_recording INT
	recorded=0 bytes=0
	for file in moved/data* out/data*; do
		n=$(samples "$file" | wc -l)
		recorded=$((recorded + n))
		bytes=$((bytes + $(stat -c %s "$file")))
	done
	echo "$recorded samples in files of $bytes bytes: $(tail -n 1 record.err)"
	all_are_counted "$recorded"
	for file in moved/data* out/data*; do
		perf newest script -i "$file" -F comm,ip,sym >script.out 2>script.err
		# Of what was cut off perf says that it has no header features.
		run ! grep -v 'missing HEADER_NRCPUS' script.err
		run ! grep '^ *:[0-9]*  *[0-9a-e]' script.out
	done
	umount -l out
}

@test "the disk is full, and then there is room again" {
	each_round fill_disk
}

@test "the next file cannot be begun: the last line names the one that was written" {
	mkdir .data.next
	record_load --switch-output
	kill -USR2 "$pid"
	await grep -q 'recording continues without a file' record.err
	stop_recording INT
	end_load
	file=$(sed -n 's/^\[ perfstamp record: .* lost; \(data\.2[0-9]*\): .* \]$/\1/p' record.err)
	[ -e "$file" ]
	all_are_counted "$(samples "$file" | wc -l)"
}

@test "--memory: it says what it leaves out, and never an identity" {
	start_worker -w -t 2 600000
	start "$perfstamp" record -e cpu-clock "${room[@]}" -o data --switch-output --memory 64B -p "${ids[0]}" 2>record.err
	await has_records data
	kill -USR1 "${ids[0]}"
	await grep -q 'nothing more can be omitted' record.err
	switch 1
	stop_recording INT
	[ "$status" -eq 0 ]
	grep -q 'exceeds --memory: names of threads are omitted' record.err
	file=$(printf '%s\n' data.2* | tail -n 1)
	"$perfstamp" check "$file" >check.out
	if grep '^  user, not mapped  *[1-9]' check.out; then false; fi
	[ "$(count "$file" ".type == \"MMAP2\" and .pid == ${ids[0]} and .snapshot and .build_id")" -ge 2 ]
}

@test "--timestamp-filename gives one file its time, --max-size ends" {
	record_load --timestamp-filename --max-size 64K
	end_by_itself || [ $? -eq 143 ]
	end_load
	[ "$(find . -name 'data.2*' | wc -l)" -eq 1 ]
	[ ! -e data ]
	stands_alone data.2*
	[ "$(stat -c %s data.2*)" -gt 64000 ]
	said=$(sed -n 's/.*recording ends: the files have \([0-9]*\) bytes, .* (--max-size)/\1/p' record.err)
	# With what is written at the end.
	end=$("$perfstamp" dump --header-only data.2* | sed -n 's/^file .*data_end=\(0x[0-9a-f]*\).*/\1/p')
	echo "$said bytes, $(stat -c %s data.2*) in the end, data until $end"
	[ "$said" -gt $(($(stat -c %s data.2*) - end)) ]
}

@test "a name with a newline" {
	mkdir "odd
dir"
	start "$perfstamp" record -e cpu-clock -o "odd
dir/da
ta" --switch-output -- "$tools/worker" 60000 >/dev/null 2>&1
	await has_records "odd
dir/da
ta"
	kill -USR2 "$pid"
	await is_there odd* 'da?ta.2*'
	stop_recording INT
	for file in odd*/da*.2*; do
		stands_alone "$file"
	done
}

@test "killed at random moments across switches, every file can be read" {
	local n moment file survivors=0 files=0
	judges=(newest)
	RANDOM=1
	for ((n = 1; n <= KILLS; n++)); do
		rm -f data* .data.next
		record_load --switch-output
		moment=$((RANDOM % 900))
		# As many switches as it can do.
		start bash -c "while kill -USR2 $pid; do sleep 0.0$((RANDOM % 9)); done" 2>/dev/null
		recorder=$((pid)) pid=${started[-2]}
		sleep "$(printf '0.%03d' "$moment")"
		stop_recording KILL
		[ "$status" -eq 137 ]
		kill "$recorder" 2>/dev/null || true
		end_load
		for file in data data.2*; do
			[ -e "$file" ] || continue
			files=$((files + 1))
			perf newest script -i "$file" >/dev/null 2>script.err ||
				{ echo "$file: $(cat script.err)" && return 1; }
			"$perfstamp" check "$file" >check.out || grep -q '^wrong: unfinished' check.out
			# Only what was being written lacks its end.
			[ "$file" = data ] || stands_alone "$file"
		done
		survivors=$((survivors + 1))
	done
	echo "$KILLS killed, $survivors survived, $files files"
}

# Whether FILE is there, and not the one of that inode number.
is_other() {
	[ -s "$1" ] && [ "$(stat -c %i "$1")" != "$2" ]
}

# Begins to record the worker, and waits till the new file at the output has samples.
begin_another() {
	local before

	before=$(stat -c %i data 2>/dev/null || true)
	start "$perfstamp" record -e cpu-clock "${room[@]}" -o data --switch-output "$@" -p "${ids[0]}" 2>record.err
	await is_other data "$before"
	await has_record data '.type == "SAMPLE"'
}

record_and_kill() {
	begin_another "$@"
	stop_recording KILL
}

@test "who is killed again and again leaves each file under a name of its own, which --keep counts" {
	local file

	judges=(newest)
	start_worker -t 1 1000000000
	record_and_kill
	ln data first
	record_and_kill
	grep -q '^perfstamp record: an earlier recorder left data\.2[0-9]*: it is incomplete .*check --repair' record.err
	ln data second
	record_and_kill
	# In the order in which they were written, and the newest at the output.
	files=(data.2*)
	[ "${#files[@]}" -eq 2 ] && [ ! -e data.old ]
	[ "${files[0]}" -ef first ] && [ "${files[1]}" -ef second ] && [ -s data ]
	for file in "${files[@]}"; do
		"$perfstamp" check --repair clean -f "$file"
		stands_alone clean
	done
	# One that lacks its name alone is as good as those that have it, and no word is needed.
	begin_another
	stop_recording INT
	[ "$status" -eq 0 ]
	files=(data.2*)
	[ "${#files[@]}" -eq 4 ]
	mv "${files[3]}" data
	ln data first -f
	# A budget counts them from the begin on: who is killed never gets to a switch.
	record_and_kill --keep 1B
	grep -q '^perfstamp record: an earlier recorder left data\.2[0-9]*: it is complete' record.err
	files=(data.2*)
	[ "${#files[@]}" -eq 1 ]
	[ "${files[0]}" -ef first ]
	# What is none of these is kept as without a rotation: a file of another's, too.
	perf newest record -q -e cpu-clock -o data true >/dev/null 2>&1
	ln data first -f
	record_and_kill
	[ data.old -ef first ]
	files=(data.2*)
	[ "${#files[@]}" -eq 1 ]
}

@test "what does not go together is refused" {
	run -2 "$perfstamp" record -o - --switch-output true
	[[ $output == *'standard output has no name'* ]]
	run -2 "$perfstamp" record --tail-synthesize --switch-output true
	[[ $output == *'cannot be combined'* ]]
	run -2 "$perfstamp" record --switch-max-files 3 true
	[[ $output == *'requires --switch-output'* ]]
	run -2 "$perfstamp" record --keep 3G true
	[[ $output == *'require --switch-output'* ]]
	run -2 "$perfstamp" record --switch-output --keep 3 true
	[[ $output == *'--keep requires a size'* ]]
	for bad in 3 3x 0s -1s 1S 10k '' 99999999999999999999d; do
		run -2 "$perfstamp" record --switch-output="$bad" true
		[[ $output == *'--switch-output requires signal, a size'* ]]
	done
	run -2 "$perfstamp" record --max-size 10 true
	[[ $output == *'--max-size requires a size'* ]]
	mkfifo pipe
	start cat pipe >/dev/null
	run -1 "$perfstamp" record -e cpu-clock -o pipe --switch-output -- true
	[[ $output == *'is not seekable'* ]]
}
