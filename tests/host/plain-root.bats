#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# That the tests run where / is no mount point, as in a plain chroot.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

@test "tests that are made with unshare -m run in a plain chroot" {
	mkdir tests
	# In parts: bats looks for tests in what is quoted, too.
	printf '@%s {\n\tunshare -m mount -t tmpfs none /run\n}\n' 'test "mounts of its own"' >tests/own.bats
	run -0 "$root/tests/lib/plain_root.sh" bash -c '! mountpoint -q / && ! unshare -m true'
	# What is mounted here is mounted there once: programs take the first mount that they find.
	run -0 "$root/tests/lib/plain_root.sh" findmnt -rn -t proc
	[ ${#lines[@]} -eq "$(findmnt -rn -t proc | wc -l)" ]
	run -0 env OUTPUT="$PWD/out" "$root/tests/lib/plain_root.sh" "$root/tests/run" "$PWD/tests/own.bats"
	[[ $output = *"1 passed, 0 failed, 0 skipped" ]]
}
