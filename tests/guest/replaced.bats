#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Two builds at one path in one recording of a whole machine. The hooks and the files
# below overlays differ with the kernel. The stock perfs are the judges here, where the
# files never were.

in_guest() {
	modprobe overlay
	"${OUTPUT:-.output}/perfstamp" record -a -e cpu-clock -F 999 -m 4M --map-ring-size 8M \
		-o /out/data -- \
		unshare -m bash tests/lib/replaced.sh run /var/tmp/replaced
	cp /var/tmp/replaced/runs /out
}

# Records on kernel $1 and judges here; a file of its name has the output.
record_and_judge() {
	local output=$BATS_FILE_TMPDIR/$1

	{
		scripts/guest --timeout 1200 --out "$output.out" "$1" -- \
			bash -c "set -e; $(declare -f in_guest); in_guest" &&
			bash tests/lib/replaced.sh judge /var/tmp/replaced "$output.out/data"
	} >"$output" 2>&1 || echo "status $?" >>"$output"
}

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=guests.bash
	. tests/lib/guests.bash
	guests__each record_and_judge 6.1 newest
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=replaced_checks.bash
	. tests/lib/replaced_checks.bash
}

both_listed() {
	local said=$BATS_FILE_TMPDIR/$1 scenario

	for scenario in rename rewrite place overlay; do replaced__apart "$said" "$scenario"; done
	replaced__listed "$said" overlap
	replaced__cookies "$said"
}

@test "6.1: both builds are listed at their path, with their times" { both_listed 6.1; }
@test "newest: both builds are listed at their path, with their times" { both_listed newest; }

@test "6.1: stock perf gives each sample the symbol of its own build" {
	replaced__symbols "$BATS_FILE_TMPDIR/6.1"
}

@test "newest: stock perf gives each sample the symbol of its own build" {
	replaced__symbols "$BATS_FILE_TMPDIR/newest"
}

@test "6.12: what is copied up before it could be read is never taken for what was mapped" {
	local output rung

	output=$(scripts/guest --timeout 900 6.12 -- bash tests/lib/copied_up.sh kprobe MMAP2)
	echo "$output"
	for rung in kprobe MMAP2; do
		[[ $output == *"$rung changed lookup-failed"* || $output == *"$rung changed 11111111"* ]]
		[[ $output == *"$rung kept 33333333"* ]]
	done
	# Its times are those that the kernel side saw; without BPF nobody has seen them.
	[[ $output == *"kprobe copied 44444444"* ]]
	[[ $output != *" copied "[0-35-9]* ]]
}
