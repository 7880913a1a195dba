#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What list, dump and check say of tests/golden/recording.data, to the letter.
# `UPDATE=1 tests/run golden` writes the expected texts anew: read the diff.

# shellcheck disable=SC2154 # stderr is set by run --separate-stderr
bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME" || exit
	perfstamp=$(cd ../.. && realpath "${OUTPUT:-.output}")/perfstamp
}

# Runs perfstamp with the arguments behind the first two: the expected status,
# and the file of the expected output.
golden() {
	local status_wanted=$1 expected=$2 status=0
	shift 2
	"$perfstamp" "$@" >"$BATS_TEST_TMPDIR/output" 2>"$BATS_TEST_TMPDIR/errors" || status=$?
	[ -z "${UPDATE:-}" ] || cp "$BATS_TEST_TMPDIR/output" "$expected"
	diff -u "$expected" "$BATS_TEST_TMPDIR/output"
	[ "$status" -eq "$status_wanted" ]
}

@test "list: identities and paths, as perf buildid-list" {
	golden 0 list.txt list recording.data
}

@test "a file with extensions of version 1 is read as one with notes" {
	local json

	golden 0 list.txt list version-1.data
	golden 0 list-verbose.txt list -v version-1.data
	for json in recording.data version-1.data; do
		"$perfstamp" dump --json "$json" | jq -c 'select(has("note") | not) |
			del(.offset, .size)' >"$BATS_TEST_TMPDIR/$json.json"
	done
	diff "$BATS_TEST_TMPDIR"/*.json
}

@test "list -v: all columns" {
	golden 0 list-verbose.txt list -v recording.data
}

@test "list --json: the documented keys" {
	golden 0 list.json list --json recording.data
}

@test "list: filters by path, build-id and kernel" {
	golden 0 list-path.txt list --path '/srv/*' recording.data
	golden 0 list-build-id.txt list --build-id BBBB recording.data
	golden 0 list-kernel.txt list --kernel recording.data
}

@test "dump --header: every record, and what the file says of itself" {
	golden 0 dump.txt dump --header recording.data
}

@test "dump --json --raw: the same as objects, with bytes" {
	golden 0 dump.json dump --json --raw recording.data
}

@test "check: the ledger, and exit status 1 for what is wrong" {
	golden 1 check.txt check recording.data
}

@test "check reports that it counts mappings again after a loss, which list does not" {
	run "$perfstamp" check spans.data
	grep -qx 'executable mappings  *7' <<<"$output"
	grep -qxF '  (mappings that were recorded again after a loss are counted again)' <<<"$output"
	[ "$("$perfstamp" list --json spans.data | jq -s 'map(.mappings) | add')" -eq 4 ]
}

@test "check --json: one object" {
	golden 1 check.json check --json recording.data
}

@test "the file comes from -i, from the argument, from perf.data or from standard input" {
	golden 0 list.txt list -i recording.data
	golden 0 list.txt list - <recording.data
	cp recording.data "$BATS_TEST_TMPDIR/perf.data"
	cp list.txt "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR"
	golden 0 list.txt list
	run -2 "$perfstamp" list one two
}

@test "list and dump of a file that is cut off show what there is, and fail" {
	head -c 1000 recording.data >"$BATS_TEST_TMPDIR/cut"
	run -1 --separate-stderr "$perfstamp" list "$BATS_TEST_TMPDIR/cut"
	[[ $output == *"/srv/server"* ]]
	[[ $stderr == "perfstamp list: "*"offset "* ]]
	run -1 --separate-stderr "$perfstamp" dump "$BATS_TEST_TMPDIR/cut"
	[[ $stderr == "perfstamp dump: "*"offset "* ]]
	run -1 "$perfstamp" check "$BATS_TEST_TMPDIR/cut"
	[[ $output == *"wrong: damage: "* ]]
}

@test "output that cannot be written is a failure, in --help too" {
	run -1 bash -c "'$perfstamp' dump recording.data >/dev/full"
	[[ $output == "perfstamp dump: standard output: No space left on device" ]]
	run -1 bash -c "'$perfstamp' list --help >/dev/full"
	run -1 bash -c "'$perfstamp' list recording.data >&-"
	[[ $output == "perfstamp list: standard output: Bad file descriptor" ]]
}

@test "a reader that has enough ends the command" {
	run bash -c "set -o pipefail; (for i in {1..2000}; do '$perfstamp' dump recording.data || exit; done) | head -n 1"
	[ "$status" -eq 141 ]
	[ "${#lines[@]}" -eq 1 ]
}

@test "list warns where no binary matches, and is silent as JSON" {
	run -0 --separate-stderr "$perfstamp" list --path /nowhere recording.data
	[ -z "$output" ]
	# shellcheck disable=SC2154 # of bats
	[ "$stderr" = "perfstamp list: warning: recording.data: no binaries match the options that select some" ]
	run -0 "$perfstamp" list --path /nowhere --json recording.data
	[ -z "$output" ]
}

@test "the command line: help, version, unknown commands and options" {
	run -0 "$perfstamp" --help
	[[ $output == "Usage: perfstamp COMMAND"* ]]
	run -0 "$perfstamp" help list
	[[ $output == "Usage: perfstamp list "* ]]
	run -0 "$perfstamp" --version
	[[ $output == "perfstamp "[0-9]* ]]
	run -2 "$perfstamp"
	run -2 "$perfstamp" lits
	[[ $output == *"did you mean \`list'?" ]]
	run -2 "$perfstamp" list --no-such-option
	run -2 "$perfstamp" list --build-id xyz
	[[ $output == *"hexadecimal"* ]]
	# What selects binaries is not ignored where none are listed.
	for what in --modules --code; do
		for select in --path=x --build-id=00 --container=x --kernel --user; do
			run -2 "$perfstamp" list "$what" "$select"
			[[ $output == *"--modules and --code do not list"* ]]
		done
	done
	run -2 "$perfstamp" list --modules --code
	[[ $output == *"--modules and --code cannot be combined"* ]]
	run -1 "$perfstamp" list /nowhere/perf.data
	[[ $output == "perfstamp list: "*"/nowhere/perf.data"*"No such file"* ]]
}
