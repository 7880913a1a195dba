#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Never wrong: damaged ELF files are mapped, and what is recorded of them is what
# libelf reads from the same content, or a reason. MUTATIONS says how many files
# of each kind (100), SEED which ones.

load ../lib/identity.sh
tools=${tools?} perfstamp=${perfstamp?} held=()

setup_file() {
	export MUTATIONS=${MUTATIONS:-100} SEED=${SEED:-1}
	export BATCH=250
}

teardown() {
	identity__let_go
}

# Holds $1 mutants of each of the kinds mapped and compares; seed $2.
compare_mutants() {
	local kinds=(plain elf32 notes-8 align-8-after cross-desc cross-name segments-3 page-1 two-ids exec)
	local kind dir=$BATS_TEST_TMPDIR/mutants id=00112233445566778899aabbccddeeff01020304
	local -a arguments=()

	for kind in "${kinds[@]}"; do
		mkdir -p "$dir/$kind"
		"$tools/elf_gen" "$kind" "$id" "$dir/$kind.elf"
		"$tools/mutate" "$2" "$1" "$dir/$kind.elf" "$dir/$kind"
	done
	while read -r file; do
		arguments+=("mmap:$file")
	done < <(find "$dir" -mindepth 2 -type f -size +0 | sort)
	identity__hold "${arguments[@]}"
	# Not all may have been given out to be read yet at one look, nor at some that follow it at once.
	# shellcheck disable=SC2016 # what the shell there is to expand
	"$perfstamp" record -q -e cpu-clock -o "$dir/data" -p "${held[0]}" -- bash -c \
		'. tests/lib/identity.sh
		await test -s "$1"
		for _ in {1..15}; do await identity__has_read "$1" && sleep 0.2; done' - "$dir/data"
	"$tools/oracle" "${held[0]}" >"$dir/oracle"
	identity__let_go
	identity__compare "$dir/data" "$dir/oracle" >"$dir/result" || {
		cat "$dir/result"
		return 1
	}
	tail -n 1 "$dir/result"
	mapped=$((mapped + ${#arguments[@]}))
	rm -rf "$dir"
}

@test "damaged ELF files: no id is wrong, and none is missed" {
	local mapped=0 left=$MUTATIONS seed=$SEED now

	while [ "$left" -gt 0 ]; do
		now=$((left < BATCH ? left : BATCH))
		compare_mutants "$now" "$seed"
		left=$((left - now)) seed=$((seed + 1))
	done
	echo "# $mapped files" >&3
	[ "$mapped" -ge "$MUTATIONS" ]
}
