#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Every perf reads our files, from a file and from a pipe, with every verb, and resolves
# symbols as it does for its own.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

# The recordings that all are tried on: of all options that change what a record looks
# like, and of DSOs of all kinds: with a build-id, and without.
setup_file() {
	load ../lib/recording.bash
	cd "$BATS_FILE_TMPDIR" || return
	record -q -o plain -- "$tools/worker" -t 1 -c 200 >/dev/null
	"$perfstamp" record -q -e cpu-clock,task-clock:u -F 999 -g -k realtime "${room[@]}" -o chains -- \
		"$tools/worker" -t 1 -c 200 >/dev/null
	record -q --rung MMAP2 -o native -- "$tools/worker" -t 1 -c 200 >/dev/null
	# Its own copy: without build-id it has a cookie.
	objcopy --remove-section .note.gnu.build-id "$tools/worker" no-build-id
	record -q -o cookie -- ./no-build-id -t 1 -c 200 >/dev/null
	start_worker -w -t 1 -c 200
	record_work -q -p "${ids[0]}"
	mv data attached
	record -q -o - -- "$tools/worker" -t 1 -c 200 2>/dev/null | cat >pipe
}

setup() {
	load ../lib/recording.bash
	cd "$BATS_FILE_TMPDIR" || return
}

teardown() {
	recording__end
}

# judge VERSION COMMAND...: that perf does it without a complaint; 6.x may print warnings,
# which are not about us.
judge() {
	run --separate-stderr perf "$@"
	echo "perf $*: status $status: $stderr"
	[ "$status" -eq 0 ]
	[ "$1" != newest ] || [ -z "$stderr" ]
}

workers="worker_child worker_main worker_thread"

# All verbs of one perf, on each recording.
all_verbs() {
	local version=$1 file

	for file in plain chains native cookie attached; do
		judge "$version" report -i "$file" --stdio
		[ "$(grep -o 'worker_[a-z]*$' <<<"$output" | sort -u | xargs)" = "$workers" ]
		judge "$version" script -i "$file" -G -F comm,tid,time,ip,sym,dso
		[ "$(grep -o 'worker_[a-z]* ' <<<"$output" | sort -u | xargs)" = "$workers" ]
		# No sample of the program, the loader and the C library is outside of a mapping.
		run -1 grep -E ' [0-9a-f]{1,15} \[unknown\] \(\[unknown\]\)' <<<"$output"
		judge "$version" report --header-only -i "$file"
		[[ $output == *"# hostname : $(uname -n)"$'\n'* ]]
		[[ $output == *"# os release : $(uname -r)"$'\n'* ]]
		[[ $output == *"# arch : $(uname -m)"$'\n'* ]]
		[[ $output == *"# nrcpus online : $(nproc --all)"$'\n'* ]]
		[[ $output == *"# cmdline : $perfstamp record "* ]]
		[[ $output == *"# perf version : perfstamp "* ]]
		judge "$version" evlist -i "$file"
		[ "${lines[0]}" = cpu-clock ]
		judge "$version" buildid-list -i "$file"
		[[ $file = cookie || $output == *"$(build_id "$tools/worker") $tools/worker"* ]]
		judge "$version" inject -b -i "$file" -o "$file.inject"
		judge "$version" script -i "$file.inject" -F ip,sym,dso -G
		[ "$(grep -o 'worker_[a-z]* ' <<<"$output" | sort -u | xargs)" = "$workers" ]
		judge "$version" diff "$file" "$file.inject"
		[[ $output == *worker_main* ]]
		rm "$file.inject"
	done
}

build_id() {
	readelf -n "$1" | awk '/Build ID/ { print $3 }'
}

@test "perf 6.1 reads all recordings with all verbs" { all_verbs 6.1; }
@test "perf 6.12 reads all recordings with all verbs" { all_verbs 6.12; }
@test "perf 7.x reads all recordings with all verbs, and says nothing on stderr" { all_verbs newest; }

@test "from a pipe it is the same, stored or live" {
	local version
	for version in "${perfs[@]}"; do
		judge "$version" report -i - --stdio <pipe
		[ "$(grep -o 'worker_[a-z]*$' <<<"$output" | sort -u | xargs)" = "$workers" ]
		judge "$version" script -i - -F ip,sym <pipe
		[ "$(grep -o 'worker_[a-z]*' <<<"$output" | sort -u | xargs)" = "$workers" ]
		judge "$version" report --header-only -i - <pipe
		[[ $output == *"# hostname : $(uname -n)"$'\n'* ]]
		judge "$version" evlist -i - <pipe
		# 7.x takes the name from the attributes here: cpu-clock:H.
		[[ ${lines[0]} == cpu-clock* ]]
		judge "$version" buildid-list -i - <pipe
		[[ $output == *"$(build_id "$tools/worker") $tools/worker"* ]]
		judge "$version" inject -b -i - -o pipe.inject <pipe
		# 7.x leaves the number of CPUs out and then warns of that.
		[ "$(workers_of "$version" pipe.inject)" = "$workers" ]
		# Live.
		record -q -o - -- "$tools/worker" -t 1 -c 200 2>/dev/null |
			perf "$version" report -i - --stdio >live 2>live.err
		[ "$(grep -o 'worker_[a-z]*$' live | sort -u | xargs)" = "$workers" ]
		[ "$version" != newest ] || [ ! -s live.err ]
		record -q -o - -- "$tools/worker" -t 1 -c 200 2>/dev/null |
			perf "$version" inject -b -i - 2>/dev/null |
			perf "$version" report -i - --stdio >live 2>/dev/null
		[ "$(grep -o 'worker_[a-z]*$' live | sort -u | xargs)" = "$workers" ]
	done
}

# Of two names for one address in the kernel or a library, versions choose differently.
@test "all perfs see the same samples, at the same addresses and times" {
	local version file
	for file in plain chains native cookie attached pipe; do
		for version in "${perfs[@]}"; do
			perf "$version" script -i "$file" -F tid,time,ip,sym -G |
				awk '{ print $1, $2, $3, $4 ~ /^worker_/ ? $4 : "" }' >"by.$version"
		done
		cmp by.6.1 by.newest
		cmp by.6.12 by.newest
		[ "$(wc -l <by.newest)" -eq "$("$perfstamp" check --json "$file" | jq .samples)" ]
	done
}

@test "perf's own recording of the same has the same functions in the same shares" {
	local theirs
	# At the same time, since who gets how much of a busy machine is another matter.
	start_worker -w -t 1 -c 600
	mkfifo ctl ack
	exec 8<>ctl 9<>ack
	start "$root/scripts/perf" newest record -q -N -e cpu-clock -m 8M -D -1 --control fifo:ctl,ack \
		-o theirs -p "${ids[0]}"
	theirs=$pid
	# It answers when it samples.
	echo enable >&8
	read -r -t 120 <&9
	record_work -q -p "${ids[0]}"
	wait "$theirs"
	exec 8>&- 9>&-
	# In tenths.
	shares() {
		perf newest script -i "$1" -F ip,sym | awk '/worker_/ { n[$2]++; all++ }
			END { for (name in n) print name, int(10 * n[name] / all + 0.5) }' | sort
	}
	shares data >ours.shares
	shares theirs >theirs.shares
	paste ours.shares theirs.shares
	paste ours.shares theirs.shares | awk '$1 != $3 || $2 - $4 > 1 || $4 - $2 > 1 { exit 1 }'
	[ "$(wc -l <ours.shares)" -eq 3 ]
}

@test "buildid-list, list and readelf agree" {
	local id path
	"$perfstamp" list --user plain | grep -v '\[vdso\]' | sort >ours.list
	[ "$(wc -l <ours.list)" -ge 3 ]
	while read -r id path; do
		[ "$id" = "$(build_id "$path")" ]
	done <ours.list
	# Those of perf have samples; they are among ours.
	perf newest buildid-list -i plain | grep -v '\[\|/perf-vdso.so-' | sort >theirs.list
	[ -s theirs.list ]
	[ -z "$(comm -13 ours.list theirs.list)" ]
}

@test "inject -b keeps our identities" {
	local version file
	for version in "${perfs[@]}"; do
		for file in plain cookie; do
			perf "$version" inject -b -i "$file" -o "$file.inject"
			"$perfstamp" list --user --json --path '/*' "$file" >before
			"$perfstamp" list --user --json --path '/*' "$file.inject" | cmp before -
			rm "$file.inject"
		done
	done
}

@test "hotspot's parser finds the worker's functions in all recordings, a pipe's too" {
	local file found
	for file in plain chains native cookie attached pipe; do
		"$root/scripts/reader" perfparser --input "$file" --output "$file.parsed" 2>parser.err ||
			{ cat parser.err && return 1; }
		# What follows a name may look like more of it.
		found=$(strings "$file.parsed" | grep -oE "^(${workers// /|})" | sort -u | xargs)
		echo "$file: $found; $(cat parser.err)"
		[ "$found" = "$workers" ]
		# All samples, none before what was mapped, in order.
		"$root/scripts/reader" perfparser --input "$file" --print-stats >stats 2>/dev/null
		grep -qx "samples: $("$perfstamp" check --json "$file" | jq .samples)" stats
		grep -qx "samples time violations: 0" stats
		grep -qx "mmaps time violations: 0" stats
		rm "$file.parsed"
	done
	# Of one that is at work when the recording begins.
	start_worker -t 1 20000
	record -q -p "${ids[0]}" -o running -- "${a_while[@]}" >/dev/null
	"$root/scripts/reader" perfparser --input running --output running.parsed 2>parser.err
	[ "$(strings running.parsed | grep -oE '^worker_(main|thread)' | sort -u | xargs)" = "worker_main worker_thread" ]
}

# The functions of FILE's worker that its samples are in, by the addresses that samply has
# put into a profile: it leaves names to what shows that.
samply_functions() {
	local program=$2

	jq -r '(.libs | map(.path)) as $paths | .threads[] | . as $t | .frameTable |
		range(.length) as $i | .func[$i] as $f | $t.funcTable.resource[$f] as $r |
		select($r != null and $r >= 0 and $t.resourceTable.lib[$r] != null) |
		select($paths[$t.resourceTable.lib[$r]] == $program) | .address[$i]' \
		--arg program "$program" "$1" | sort -un | xargs printf '%x\n' |
		xargs addr2line -f -e "$program" | grep -o '^worker_[a-z]*$' | sort -u | xargs
}

@test "samply imports all files, with build-ids and with the worker's functions" {
	local file program
	# It reads no pipe's files, perf's own neither.
	for file in plain chains native cookie attached; do
		program=$tools/worker
		[ "$file" != cookie ] || program=$BATS_FILE_TMPDIR/no-build-id
		"$root/scripts/reader" samply import --save-only -o profile.json "$file" >samply.out 2>&1 ||
			{ cat samply.out && return 1; }
		[ "$(samply_functions profile.json "$program")" = "$workers" ]
		# It takes the first event only.
		[ "$(jq '[.threads[].samples.length] | add' profile.json)" -eq \
			"$(perf newest script -i "$file" -F event -G | grep -c cpu-clock)" ]
		[ "$file" = cookie ] || jq -e --arg id "$(build_id "$program")" --arg path "$program" \
			'.libs[] | select(.path == $path).codeId == $id' profile.json
		rm profile.json
	done
}

# AutoFDO's tools and perf_to_profile take records apart from the front, and stop at one that
# has more or less than they expect.
@test "quipper reads all files" {
	local file
	for file in plain chains native cookie attached; do
		run -0 create_llvm_prof --profile="$file" --binary="$tools/worker" --out=quipper.prof \
			--use_lbr=false
		run ! grep -q "expected\|Error reading" <<<"$output"
	done
}

# What a header says of the machine, by the newest perf. Left out is what differs in each
# recording; memory, which a virtual machine may be given more of meanwhile; what perf adds of
# itself to its PMUs; and the features that perf 6.1 does not know, since its inject stumbles
# over them.
machine_of() {
	perf newest report --header-only -I -i "$1" | sed -E '
		/^# (captured|data (offset|size)|feat offset|perf version|cmdline|event) /d
		/^# (time of|sample duration|missing features|clockid|reference time)/d
		/^#\s*(bpf_prog_info|sub_prog|btf info)/d
		/^# ( *e_machine| *e_flags|cacheline size) *:/d
		/^# (total memory|node[0-9]+ meminfo)/s/[0-9]+ kB/kB/g
		/^# *[0-9]+ \[[0-9]+G\]: /s/ \[.*//
		/^# pmu mappings/s/ (cpu|tool) = [0-9]+,//g'
}

@test "the header says of the machine what perf's own does" {
	perf newest record -q -e cpu-clock -o own -- true
	machine_of own >own.header
	machine_of plain >header
	cat header
	[ "$(wc -l <header)" -gt 15 ]
	grep -q '^# pmu mappings: .*software = 1' header
	diff own.header header
}
