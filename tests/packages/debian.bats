#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The Debian packages, in bare roots of Debian 12 and 13: tests/packages/in_root.sh builds and
# uses them, and the tests look at what it left in .output/deb/SUITE. Minutes for each: make
# packages-test.

suites=(bookworm trixie)

setup_file() {
	local suite

	cd "$BATS_TEST_DIRNAME/../.." || return
	for suite in "${suites[@]}"; do
		rm -rf "${OUTPUT:-.output}/deb/$suite"
		scripts/bare --out "${OUTPUT:-.output}/deb/$suite" "$suite" -- sh -c 'apt-get -qq update &&
			apt-get -qq -y install make >/dev/null && tests/packages/in_root.sh' >&2 || echo "$suite: status $?" >&2
	done
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	bats_require_minimum_version 1.5.0
	version=$(make -s version)
	cd "${OUTPUT:-.output}/deb" || return
}

@test "two builds are the same, byte by byte" {
	local suite

	for suite in "${suites[@]}"; do
		[ "$(wc -l <"$suite/first")" -eq 3 ]
		diff "$suite/first" "$suite/second"
	done
}

@test "lintian has nothing to say, pedantic and informational tags included" {
	local suite

	for suite in "${suites[@]}"; do
		cat "$suite/lintian"
		[ ! -s "$suite/lintian" ]
	done
}

@test "autopkgtest records and reports, and compiles the headers" {
	local suite

	for suite in "${suites[@]}"; do
		cat "$suite/autopkgtest"
		grep -qE '^record-and-report +PASS' "$suite/autopkgtest"
		grep -qE '^headers +PASS' "$suite/autopkgtest"
		run ! grep -E '^status|FAIL' "$suite/autopkgtest"
	done
}

@test "what is installed runs, has its user, and completes in bash and zsh" {
	local suite

	for suite in "${suites[@]}"; do
		[ "$(cat "$suite/version")" = "perfstamp $version" ]
		grep -q '^\[ perfstamp record: [1-9][0-9]* samples' "$suite/recorded"
		grep -q '^perfstamp:' "$suite/user"
		[ "$(cat "$suite/zsh")" = _perfstamp ]
		[ "$(cat "$suite/bash")" = "complete -F _perfstamp perfstamp" ]
	done
}

@test "after an upgrade, apt lists what still runs a replaced build" {
	local suite

	for suite in "${suites[@]}"; do
		cat "$suite/upgrade"
		grep -q '^Left to you:$' "$suite/upgrade"
		grep -qE '^    .*[0-9]+ outdated' "$suite/upgrade"
	done
}

@test "a recorder that runs during an upgrade goes on and loses nothing" {
	local suite

	for suite in "${suites[@]}"; do
		cat "$suite/running" "$suite/checked"
		grep -q '^\[ perfstamp record: [1-9][0-9]* samples, .*, 0 lost; ' "$suite/running"
		run ! grep '^status' "$suite/running" "$suite/checked"
	done
}

@test "an upgrade keeps an edited configuration, a removal the recordings, a purge nothing" {
	local suite

	for suite in "${suites[@]}"; do
		[ "$(cat "$suite/upgraded")" = "perfstamp"$'\t'"$version+next"$'\n''# edited' ]
		[ "$(cat "$suite/removed")" = perf.data ]
		cat "$suite/left"
		[ ! -s "$suite/left" ]
	done
}
