#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Recordings that are directories, of perf record --threads: each command reads in them what
# the perf that made them does, and says which file is damaged, missing or no part of one.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup_file() {
	load ../lib/recording.bash
	local version

	cd "$BATS_FILE_TMPDIR" || return
	for version in newest 6.1; do
		perf "$version" record -q -N --threads -e cpu-clock -F 999 -g -o "$version" -- \
			"$tools/worker" -t 3 -c 100 >/dev/null 2>&1
	done
	perf newest record -q -N --threads -z -e cpu-clock -F 999 -o packed -- \
		"$tools/worker" -t 3 -c 100 >/dev/null 2>&1
}

setup() {
	load ../lib/recording.bash
	cp -r "$BATS_FILE_TMPDIR"/{newest,6.1,packed} .
}

teardown() {
	recording__end
}

# by_perf VERSION FILE: a line for each sample, in perf's order.
by_perf() {
	perf "$1" script -i "$2" -G --ns -F pid,tid,time,period,ip 2>/dev/null |
		awk '{ sub(":", "", $2); sub("[.]", "", $2); sub("^0*", "", $2); split($1, id, "/")
			print $2, id[1], id[2], $3, $4 }'
}

# by_us FILE: the same. What dump prints is in the order of the files.
by_us() {
	"$perfstamp" dump --json "$1" | grep '^{"type":"SAMPLE"' |
		sed -E 's/.*"time_ns":([0-9]+),"pid":([0-9]+),"tid":([0-9]+),.*"ip":"?([0-9a-fx]+)"?,.*"period":([0-9]+).*/\1 \2 \3 \5 \4/' |
		sort -n | while read -r time pid tid period ip; do
		printf '%s %s %s %s %x\n' "$time" "$pid" "$tid" "$period" "$ip"
	done
}

# symbols_by_perf VERSION FILE: how many samples each of worker's functions has.
symbols_by_perf() {
	perf "$1" script -i "$2" -G -F ip,sym 2>/dev/null | awk '/worker_/ { n[$2]++ }
		END { for (name in n) print name, n[name] }' | sort
}

symbols_by_us() {
	"$perfstamp" report --json "$1" | jq -r 'select(.type == "row" and .samples > 0 and
		(.symbol // "" | startswith("worker_"))) | "\(.symbol) \(.samples)"' | sort
}

# u64 FILE OFFSET
u64() {
	od -An -t u8 -j "$2" -N 8 "$1" | tr -d ' '
}

# feature_at FILE ID: where a header feature below 64 is. The table of features stands behind
# the data, with an entry for each bit.
feature_at() {
	local bits bit index=0

	bits=$(u64 "$1" 72)
	for ((bit = 0; bit < $2; bit++)); do
		((index += bits >> bit & 1)) || true
	done
	u64 "$1" $(($(u64 "$1" 40) + $(u64 "$1" 48) + 16 * index))
}

# wrong FILE TEXT: each command that reads a recording fails, and says TEXT.
wrong() {
	local command
	local -a commands=(list dump report check "timeline -o page.html" "cache --missing"
		"replaced --json")

	for command in "${commands[@]}"; do
		# shellcheck disable=SC2086 # words
		run "$perfstamp" $command "$1"
		echo "$command: $status: ${lines[*]: -2}"
		[ "$status" -ne 0 ]
		[[ $output == *"$2"* ]]
	done
}

@test "samples, their order and their functions are what perf reads in the same directory" {
	local name version

	for name in newest packed 6.1; do
		version=newest
		[ "$name" != 6.1 ] || version=6.1
		echo "$name: $(ls -l "$name")"
		by_perf "$version" "$name" >theirs
		by_us "$name" >ours
		[ "$(wc -l <ours)" -gt 300 ]
		sort -n theirs | cmp - ours
		symbols_by_perf "$version" "$name" >theirs
		symbols_by_us "$name" >ours
		[ "$(wc -l <ours)" -eq 3 ]
		cmp theirs ours
		run -0 "$perfstamp" check --json "$name"
		[ "$(jq -r '[.form, .ok] | @tsv' <<<"$output")" = "directory	true" ]
	done
}

@test "every command reads a directory" {
	local kernel

	run -0 "$perfstamp" list newest
	[[ $output == *" $tools/worker"* ]]
	run -0 "$perfstamp" dump newest/
	[[ $output =~ file=\"newest/data.[01]\" ]]
	run -0 "$perfstamp" dump --header-only newest
	[[ $output == *'form="directory"'* ]]
	run -0 "$perfstamp" timeline -o page.html newest
	grep -q worker page.html
	run -0 "$perfstamp" archive newest/
	[ -s newest.tar.zst ]
	run "$perfstamp" cache --missing newest
	[[ $output == *" $tools/worker"* ]]
	run -0 "$perfstamp" replaced newest
	kernel=$("$perfstamp" kernel -i newest 2>&1 || true)
	[[ $kernel != *"cannot open"* ]]
	run -1 "$perfstamp" archive --embed newest
	[[ $output == *"this one is a directory; \`perfstamp check --repair' converts it to one file"* ]]
}

@test "repair makes one file of a directory, which each perf reads" {
	local name version

	for name in newest packed; do
		by_us "$name" >before
		run -0 "$perfstamp" check --repair "$name.copy" "$name"
		[[ $output == *" 0 dropped (0 bytes), in $name.copy"* ]]
		by_us "$name.copy" | cmp - before
		for version in "${perfs[@]}"; do
			by_perf "$version" "$name.copy" | cmp - before
		done
		run -0 "$perfstamp" check "$name.copy"
	done
	# Nothing is written into the recording itself.
	run -1 "$perfstamp" check -f --repair newest/data newest
	run -1 "$perfstamp" check --repair newest/data.7 newest/
	[ "$(ls newest)" = "$(ls "$BATS_FILE_TMPDIR/newest")" ]
}

@test "of a truncated file the rest is read, and the others whole" {
	local all kept file

	# The one that the children's and most threads' samples are in is as good as another.
	file=$(find newest -name 'data.*' -size +8k | head -n 1)
	by_us newest >before
	all=$(wc -l <before)
	truncate -s -20 "$file"
	wrong newest "$file: offset "
	by_us newest >after 2>/dev/null
	kept=$(wc -l <after)
	[ "$kept" -eq $((all - 1)) ] || [ "$kept" -eq "$all" ]
	[ -z "$(comm -13 <(sort before) <(sort after))" ]
	run -0 "$perfstamp" check --repair copy newest
	[[ $output == *"dropped: bytes that are not records: 1 "*"at offset $file:"* ]]
	by_us copy | cmp - after
	run -0 "$perfstamp" check --repair copy.json -f --json newest
	[ "$(jq -r '.drops[0].places[0].file' <<<"$output")" = "$file" ]
	# A byte in the middle: what is behind is found again.
	cp -r "$BATS_FILE_TMPDIR/newest/." newest/
	printf '\377\377' | dd of="$file" bs=1 seek=726 conv=notrunc status=none
	run -0 "$perfstamp" check -f --repair copy newest
	[ "$(by_us copy | wc -l)" -ge $((all - 20)) ]
}

@test "a file that is missing is reported, unless it was the last one" {
	[ -e newest/data.1 ]
	rm newest/data.0
	wrong newest "newest/data.0: missing, although later files of the directory exist"
	rm newest/data
	wrong newest "newest: not a recording: the directory has no file \`data'"
}

@test "links, FIFOs, odd names and other layouts are refused by name" {
	mv newest/data.0 elsewhere
	ln -s ../elsewhere newest/data.0
	wrong newest "newest/data.0: symbolic links are not followed: replace the link with the file"
	rm newest/data.0
	mkfifo newest/data.0
	wrong newest "newest/data.0: not a regular file: remove it from the directory to read the rest"
	rm newest/data.0
	cp elsewhere newest/data.0
	touch newest/$'data.0\n'
	wrong newest 'newest/data.0?: perf record does not use this name'
	rm newest/$'data.0\n'
	cp elsewhere newest/data.00
	wrong newest "newest/data.00: perf record does not use this name"
	rm newest/data.00
	# What perf passes over as well.
	touch newest/README newest/other.data
	mkdir newest/kcore_dir
	run -0 "$perfstamp" check newest
	mv newest/data real
	ln -s /dev/zero newest/data
	wrong newest "newest/data: symbolic links are not followed"
	rm newest/data
	ln -s "$PWD/newest" link
	mv real newest/data
	run -0 "$perfstamp" check link
	# The version of the layout: 8 bytes, of which 1 is the first.
	printf '\2' | dd of=newest/data bs=1 seek="$(feature_at newest/data 24)" conv=notrunc status=none
	wrong newest "newest/data: a directory of version 2, only version 1 is supported"
}

@test "every truncation of every file ends with an answer" {
	local file size

	for file in data data.0 data.1; do
		for size in 0 1 8 100 500 1000 4000; do
			rm -r packed
			cp -r "$BATS_FILE_TMPDIR/packed" .
			[ "$(stat -c %s "packed/$file")" -gt "$size" ] || continue
			truncate -s "$size" "packed/$file"
			run timeout 120 "$perfstamp" check packed
			echo "$file $size: $status: ${lines[*]: -1}"
			[ "$status" -le 1 ]
			[ "$file" != data ] || [ "$status" -eq 1 ]
		done
	done
}

@test "a recording that is a directory is put away as a file is" {
	mv newest perf.data
	run -0 "$perfstamp" record -q -o perf.data -e cpu-clock -- true
	[ -f perf.data ]
	[ -d perf.data.old ]
	# And by the next one, the directory perf.data.old is replaced.
	run -0 "$perfstamp" record -q -o perf.data -e cpu-clock -- true
	[ -f perf.data ]
	[ -f perf.data.old ]
}
