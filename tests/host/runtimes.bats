#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Real runtimes, each in a container whose files end with it: report, and stock perf elsewhere
# after inject --jit and archive, name the functions that stock perf finds on the spot. All of
# them: tests/lib/runtimes/compare.

setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	. "$BATS_TEST_DIRNAME/../lib/recording.bash"
}

# agrees NAME: there are samples, and each count is that on the spot, but for what was undecided.
agrees() {
	local line

	run -0 --separate-stderr "$root/tests/lib/runtimes/compare" "$1"
	echo "$output"
	line=$(grep "^| $1 " <<<"$output")
	tr -d '|' <<<"$line" | awk 'function near(a, b) { return a >= b - b / 10 - 1 && a <= b + b / 10 + 1 }
		{ exit !($2 > 10 && $3 > 3 && near($4, $2) && near($5, $3) && near($6, $2) && near($7, $3)) }'
}

@test "Node.js, by a map file and by a jitdump" {
	agrees node
	agrees node-dump
}

@test "Python: its functions are callers between those of the interpreter" {
	agrees python
}

@test "PHP" {
	agrees php
}

@test "a program that compiles with LLVM's ORC" {
	agrees llvm-orc
}

@test "Java's list at its end, which counts for what was before only if asked" {
	agrees java-at-exit
}
