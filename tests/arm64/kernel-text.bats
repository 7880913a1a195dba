#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What tests/guest/kernel-text.bats has of x86-64, on arm64: all that is kernel text has an identity
# or a name. There modules are near the image, and both are elsewhere at each boot.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	scripts/guest --arch arm64 --timeout 2700 --out "$BATS_FILE_TMPDIR/newest" newest -- \
		bash tests/lib/kernel_text.sh >"$BATS_FILE_TMPDIR/newest.said" 2>&1 3>&- || true
}

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=kernel_text_checks.bash
	. tests/lib/kernel_text_checks.bash
	perfstamp=$(realpath "${OUTPUT:-.output}")/perfstamp
}

@test "every sample in the kernel is in text that is known" { kernel_text__covered newest; }
@test "BPF programs are there by name and tag" { kernel_text__programs_are_kept newest; }
@test "each stock perf has the programs, from a file and from a pipe" { kernel_text__judged newest; }
@test "the kernel's code is kept on request, and told where it is refused" { kernel_text__code_is_kept newest; }
@test "a module that is there for a moment is kept, or told" { kernel_text__module_is_kept newest; }
@test "modules that are gone while they are looked at do no harm" { kernel_text__vanished newest; }
