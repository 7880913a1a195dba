#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# CPUs that come while the recording runs, and such as come back and cannot be recorded.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	scripts/guest --timeout 1800 --out "$BATS_FILE_TMPDIR/cpus" 6.12 -- \
		bash tests/lib/cpus.sh /out >"$BATS_FILE_TMPDIR/said" 2>&1 ||
		echo "status $?" >>"$BATS_FILE_TMPDIR/said"
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../.." || return
	cpus=$BATS_FILE_TMPDIR/cpus
	perfstamp=${OUTPUT:-.output}/perfstamp
	cat "$BATS_FILE_TMPDIR/said"
	run -1 grep '^status ' "$BATS_FILE_TMPDIR/said"
}

# is_whole NAME: what ran on that CPU, before it was off-line again and after, is in the file.
is_whole() {
	local name=$1 version program kind

	cat "$cpus/$name".{said,check}
	[ "$(grep -c '^lost: cpu-off-line: 1 between ' "$cpus/$name.check")" -eq 2 ]
	[ "$(grep '^wrong: ' "$cpus/$name.check" | grep -cv '^wrong: missed-identities: ')" -eq 0 ]
	for version in 6.1 6.12 newest; do
		[ ! -s "$cpus/$name.$version.errors" ]
		for program in came back; do
			[ "$(grep -cE "^ *$program +\[001\] +cpu-clock: +[0-9a-f]+ worker_(main|child)$" \
				"$cpus/$name.$version")" -gt 50 ]
		done
	done
	"$perfstamp" dump --json "$cpus/$name.data" >"$BATS_TEST_TMPDIR/records"
	for program in came back; do
		for kind in COMM FORK EXIT; do
			jq -se --arg kind $kind --arg comm $program '
				map(select(.type == "COMM" and .comm == $comm).pid) as $pids |
				any(.type == $kind and .cpu == 1 and
					((.ppid // .pid) | IN($pids[])))' \
				"$BATS_TEST_TMPDIR/records"
		done
		"$perfstamp" list "$cpus/$name.data" | grep " /tmp/$program\$"
	done
}

@test "a CPU that comes on-line is recorded, and once more after it was off-line again" {
	is_whole whole
}

@test "each of its samples is of the event that it is of" {
	local version

	for version in 6.1 6.12 newest; do
		grep -E '\[001\] +context-switches: ' "$cpus/whole.$version" >"$BATS_TEST_TMPDIR/switches"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/switches")" -gt 50 ]
		# Which are in the kernel, where those of a clock are in the worker, too.
		run -1 grep ' worker_' "$BATS_TEST_TMPDIR/switches"
	done
}

@test "the same by the kernel's own records" {
	grep -q 'rung MMAP2' "$cpus/mmap2.said"
	is_whole mmap2
}

@test "what it did is known however often it was away" {
	local version

	cat "$cpus/flips".{said,check}
	grep -q '^no problems found' "$cpus/flips.check"
	for version in 6.1 6.12 newest; do
		[ ! -s "$cpus/flips.$version.errors" ]
		grep -qE '^ *worker +\[001\] +cpu-clock: +[0-9a-f]+ worker_main$' "$cpus/flips.$version"
	done
}

@test "what is left out is so in each file" {
	cat "$cpus/rotated.check"
	[ "$(grep -c '^lost: cpu-off-line: 1 between ' "$cpus/rotated.check")" -eq 3 ]
}

@test "where it cannot be recorded it is told" {
	local name

	for name in left_out ends threads; do
		cat "$cpus/$name".{said,check}
		[ "$(grep -c 'CPU 1 came on-line and is not sampled' "$cpus/$name.said")" -eq 1 ]
		[ "$(grep -c '^lost: cpu-off-line: 1 between ' "$cpus/$name.check")" -eq 1 ]
	done
}

@test "what is left out is so to the end" {
	"$perfstamp" dump --json "$cpus/ends.data" | jq -s '
		map(select(.type == "SAMPLE").time_ns) | max / 1e9' >"$BATS_TEST_TMPDIR/last"
	cat "$BATS_TEST_TMPDIR/last" "$cpus/ends.check"
	awk 'NR == FNR { last = $1; next }
		/^lost: cpu-off-line/ { found = $NF >= last - 0.001 }
		END { exit !found }' "$BATS_TEST_TMPDIR/last" "$cpus/ends.check"
}
