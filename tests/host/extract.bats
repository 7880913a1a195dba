#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# extract: three builds run at one path; what is extracted of one is what the tools that
# optimise a program are to get. The programs print nothing and differ in their functions.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

# build FILE PRESENT: a program that spends its time in the functions of PRESENT.
build() {
	local name code="volatile unsigned long s;" calls=""

	for name in $2; do
		code+="__attribute__((noinline)) void $name(int n) { for (int i = 0; i < n; i++) s += i; }"
		calls+="$name(300000);"
	done
	code+="int main(void) { for (int i = 0; i < 150; i++) { $calls } return 0; }"
	gcc -g -O1 -fno-omit-frame-pointer -Wl,--build-id,-q -x c -o "$1" - <<<"$code"
}

setup_file() {
	load ../lib/recording.bash
	cd "$BATS_FILE_TMPDIR" || return
	build v1 shared
	build v2 "first shared"
	build v3 "first second shared"
	mkdir run
	cat >deploy <<-'EOF'
		for build in v1 v2 v3; do
			cp "$build" run/new && mv run/new run/server && run/server
		done
	EOF
	record -q -F 1999 -o ours -- sh deploy >/dev/null
	record -q -F 1999 -g -o chains -- sh deploy >/dev/null
	perf newest record -q -N -F 1999 -e cpu-clock --buildid-mmap -o theirs -- sh deploy \
		>/dev/null 2>&1
}

setup() {
	load ../lib/recording.bash
	cp "$BATS_FILE_TMPDIR"/{v1,v2,v3,ours,chains,theirs} .
	perf2bolt=/usr/lib/llvm-16/bin/perf2bolt
}

# The build-id of FILE, by another's reader.
id_of() {
	readelf -n "$1" | awk '/Build ID/ { print $3 }'
}

# extract BUILD FROM: writes BUILD.data; the number of its samples is in $n.
extract() {
	run -0 --separate-stderr "$perfstamp" extract --build-id "$(id_of "$1")" -o "$1.data" "$2"
	[ -z "$stderr" ]
	n=${output#*: }
	n=${n%% *}
	((n > 20))
}

@test "each build gets its own samples, from our recordings and from perf's" {
	local from build sum

	for from in ours chains theirs; do
		sum=0
		for build in v1 v2 v3; do
			extract "$build" "$from"
			[ "$(perf newest script -i "$build.data" -G -F comm,ip 2>/dev/null | grep -c server)" = "$n" ]
			sum=$((sum + n))
			rm "$build.data"
		done
		# What all three have is what the recording has of the path.
		[ "$sum" = "$("$perfstamp" list --path '*/server' --json "$from" |
			jq -s '[.. | .samples? // empty] | add')" ]
	done
}

@test "every stock perf reads what was extracted, and its chains" {
	local version text

	extract v2 chains
	for version in "${perfs[@]}"; do
		run -0 --separate-stderr perf "$version" script -i v2.data -F comm,ip,dso
		text=$output
		run ! grep -q "[^ ]" <<<"$(grep -v '^No kallsyms or vmlinux' <<<"$stderr")"
		[ "$(grep -c '^server' <<<"$text")" = "$n" ]
		# It calls main().
		grep -q 'libc' <<<"$text"
	done
	# The paths of the other builds are free, for tools that go by the name.
	[ "$("$perfstamp" list --path '*/server' v2.data | wc -l)" = 1 ]
}

@test "perf2bolt counts as many samples as we do, and none outside the functions" {
	local build

	for build in v1 v2 v3; do
		extract "$build" ours
		run -0 "$perf2bolt" -nl -p "$build.data" -o "$build.fdata" "$build"
		grep -q "read $n samples" <<<"$output"
		grep -q "unknown regions: 0 (0.0%)" <<<"$output"
	done
	# Given all, it takes those of the others for its own.
	run -0 "$perf2bolt" -nl -p ours -o all.fdata v2
	run ! grep -q "read $(wc -l <v2.fdata) samples" <<<"$output"
	run ! cmp -s all.fdata v2.fdata
}

@test "a program that BOLT optimised by it runs" {
	extract v3 ours
	run -0 "$perf2bolt" -nl -p v3.data -o v3.fdata v3
	run -0 /usr/lib/llvm-16/bin/llvm-bolt v3 -o v3.bolt -data v3.fdata \
		-reorder-blocks=ext-tsp -reorder-functions=hfsort
	run -0 ./v3.bolt
}

@test "quipper reads it, and refuses the recording" {
	extract v2 ours
	run -0 create_llvm_prof --profile=v2.data --binary=v2 --out=v2.prof --use_lbr=false
	run ! grep -q "expected\|Error reading" <<<"$output"
	run create_llvm_prof --profile=ours --binary=v2 --out=all.prof --use_lbr=false
	grep -q "Error reading profile" <<<"$output"
}

@test "errors say what is wrong, and leave no file" {
	run -1 "$perfstamp" extract --build-id 0123456789 -o out ours
	grep -q "no mapping has this build-id" <<<"$output"
	[ ! -e out ]
	run -2 "$perfstamp" extract --build-id 012 -o out ours
	run -2 "$perfstamp" extract -o out ours
	run -2 "$perfstamp" extract --build-id 0123 ours
	touch out
	run -1 "$perfstamp" extract --build-id "$(id_of v1)" -o out ours
	grep -q "exists" <<<"$output"
	[ ! -s out ]
	run -1 "$perfstamp" extract -f --build-id "$(id_of v1)" -o ours ours
	grep -q "is the input file" <<<"$output"
}
