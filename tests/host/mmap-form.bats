#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What today's readers make of a map record in a form that a later kernel may give it: MMAP2 with
# more behind the name, and a record of a new type (tests/tools/mmap_form.c). None of it is perfstamp's.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup_file() {
	load ../lib/recording.bash
	cd "$BATS_FILE_TMPDIR" || return
	# By the oldest, whose attributes all others know: with the build-id in the record,
	# and with device and inode.
	perf 6.1 record -q -e cpu-clock --buildid-mmap -o id.plain -- "$tools/worker" -t 1 -c 200 >/dev/null
	perf 6.1 record -q -e cpu-clock -N -o inode.plain -- "$tools/worker" -t 1 -c 200 >/dev/null
	for form in trailer type; do
		"$tools/mmap_form" "$form" id.plain "id.$form"
		"$tools/mmap_form" "$form" inode.plain "inode.$form"
	done
}

setup() {
	load ../lib/recording.bash
	cd "$BATS_FILE_TMPDIR" || return
}

# script VERSION FILE: mappings and samples, with the time of each, which is at the end of a
# mapping's record.
script() {
	perf "$1" script -i "$2" --show-mmap-events -F comm,tid,time,ip,sym,dso
}

functions_of() {
	"$root/scripts/reader" perfparser --input "$1" --output "$1.parsed" 2>parser.err
	strings "$1.parsed" | grep -oE '^worker_(main|child|thread)' | sort -u | xargs
}

profile_of() {
	"$root/scripts/reader" samply import --save-only -o profile.json "$1" >samply.out 2>&1
	jq -S 'del(.meta)' profile.json
}

@test "every perf reads MMAP2 with more behind the name as without" {
	local version form

	for version in "${perfs[@]}"; do
		for form in id inode; do
			script "$version" "$form.plain" >plain
			script "$version" "$form.trailer" >trailer
			grep -q 'PERF_RECORD_MMAP2.*/worker' plain
			grep -q 'worker_main' plain
			cmp plain trailer
		done
	done
}

@test "hotspot's parser and samply do as well" {
	local form

	for form in id inode; do
		[ -n "$(functions_of "$form.plain")" ]
		[ "$(functions_of "$form.trailer")" = "$(functions_of "$form.plain")" ]
		profile_of "$form.plain" >plain
		profile_of "$form.trailer" | cmp - plain
	done
}

@test "every perf refuses a recording with a record of a new type" {
	local version form

	for version in "${perfs[@]}"; do
		for form in id inode; do
			run ! script "$version" "$form.type"
			[[ $output == *"Found "*"unknown events"* ]]
		done
	done
}

@test "hotspot's parser and samply read it without its mappings" {
	local form

	for form in id inode; do
		[ -z "$(functions_of "$form.type")" ]
		profile_of "$form.plain" | jq -e '.libs | map(.name) | index("worker")' >/dev/null
		run ! jq -e '.libs | map(.name) | index("worker")' <(profile_of "$form.type")
	done
}
