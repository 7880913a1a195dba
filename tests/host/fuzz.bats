#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# No input crashes, hangs or fills the memory of what reads foreign bytes: recordings, texts of
# the kernel, users and containers, ELF and DWARF, bundles, commands, answers of servers. What
# libFuzzer found before is tried again, and new inputs for some seconds. `make fuzz` goes on
# from there.

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || exit
	fuzz=${OUTPUT:-.output}/fuzz
	targets=(answers bundle commands containers elf event parse perfdata repair text unwind)
	# Some have files and sockets.
	export TMPDIR=$BATS_TEST_TMPDIR
}

@test "the corpus: by gcc's sanitizers" {
	local target n=0
	for target in "${targets[@]}"; do
		run -0 timeout 300 "$fuzz/replay-$target" "tests/fuzz/corpus/$target"/*
		echo "$target: ${lines[-1]}"
		n=$((n + ${#lines[@]}))
	done
	[ "$n" -gt 300 ]
	# It stays small enough to be kept here.
	[ "$(cat tests/fuzz/corpus/*/* | wc -c)" -lt 400000 ]
}

@test "each target of make fuzz is here" {
	# shellcheck disable=SC2016 # what make expands
	[ "$(make -s --eval 'print:;@echo $(FUZZ_TARGETS)' print)" = "${targets[*]}" ]
	[ "$(basename -s .c -a tests/fuzz/fuzz_*.c | sed s/^fuzz_//)" = "$(printf '%s\n' "${targets[@]}")" ]
}

@test "20,000 new inputs each, or five seconds: by libFuzzer" {
	local target
	for target in "${targets[@]}"; do
		mkdir "$BATS_TEST_TMPDIR/$target"
		run timeout 300 "$fuzz/$target" -seed=1 -runs=20000 -max_total_time=5 -timeout=100 \
			-rss_limit_mb=1024 -artifact_prefix="$BATS_TEST_TMPDIR/" -verbosity=0 \
			"$BATS_TEST_TMPDIR/$target" "tests/fuzz/corpus/$target"
		printf '%s: status %s\n%s\n' "$target" "$status" "$output"
		[ "$status" -eq 0 ]
	done
}
