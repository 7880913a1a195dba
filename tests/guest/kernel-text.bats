#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# All that is kernel text has an identity or a name: the image, modules, BPF programs,
# trampolines of BPF and ftrace, slots of kprobes, from before and from while recording. One
# boot of each kernel (tests/lib/kernel_text.sh) makes what the tests look at here.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	local kernel

	for kernel in 6.1 newest; do
		scripts/guest --timeout 1500 --out "$BATS_FILE_TMPDIR/$kernel" "$kernel" -- \
			bash tests/lib/kernel_text.sh >"$BATS_FILE_TMPDIR/$kernel.said" 2>&1 3>&- || true
	done
}

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=kernel_text_checks.bash
	. tests/lib/kernel_text_checks.bash
	perfstamp=$(realpath "${OUTPUT:-.output}")/perfstamp
}

@test "6.1: every sample in the kernel is in text that is known" { kernel_text__covered 6.1; }
@test "newest: every sample in the kernel is in text that is known" { kernel_text__covered newest; }

@test "6.1: BPF programs are there by name and tag" { kernel_text__programs_are_kept 6.1; }
@test "newest: BPF programs are there by name and tag" { kernel_text__programs_are_kept newest; }

@test "6.1: each stock perf has the programs, from a file and from a pipe" { kernel_text__judged 6.1; }
@test "newest: each stock perf has the programs, from a file and from a pipe" { kernel_text__judged newest; }

@test "6.1: the kernel's code is kept on request, and told where it is refused" { kernel_text__code_is_kept 6.1; }
@test "newest: the kernel's code is kept on request, and told where it is refused" { kernel_text__code_is_kept newest; }

@test "6.1: a module that is there for a moment is kept, or told" { kernel_text__module_is_kept 6.1; }
@test "newest: a module that is there for a moment is kept, or told" { kernel_text__module_is_kept newest; }

@test "6.1: modules that are gone while they are looked at do no harm" { kernel_text__vanished 6.1; }
@test "newest: modules that are gone while they are looked at do no harm" { kernel_text__vanished newest; }
