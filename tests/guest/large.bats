#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A machine with more CPUs than tests have elsewhere: LARGE_CPUS, or 8. `make large' has 64.

@test "all CPUs are recorded, and every stock perf reads them without a word" {
	local n=${LARGE_CPUS:-8}

	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../.." || return
	run scripts/guest --cpus "$n" --memory "$((1024 + 32 * n))M" --timeout 1800 newest -- \
		bash tests/lib/large.sh cpus /tmp/large
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output != *"wrong: "* ]]
	[[ $output == *"CPUs: $n"$'\n'* ]]
	[[ $output == *"perf newest: "*" samples of $n CPUs"* ]]
}
