#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Options that are about whole machines, so not for the host of the tests: -G, filters
# with -a, and perf's own test of what -C tells. One boot records all
# (tests/lib/options_guest.sh); the tests look at a recording each.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	scripts/guest --timeout 1200 --out "$BATS_FILE_TMPDIR" newest -- bash tests/lib/options_guest.sh \
		>"$BATS_FILE_TMPDIR/said" 2>&1 || true
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	cd "$BATS_FILE_TMPDIR" || return
	root=$OLDPWD
	perfstamp=$(realpath "$root/${OUTPUT:-.output}")/perfstamp
	cat said
}

# samples NAME EVENT=WHO...: these have samples, and no others.
samples() {
	local name=$1
	shift

	grep -q "^$name: 0" said
	"$perfstamp" check "$name"
	"$root/scripts/perf" newest script -i "$name" -F pid,event 2>perf.err >samples
	awk 'NR == FNR { who[$1] = $2; next }
		{ sub(/:.*/, "", $2); print $2 "=" ($1 in who ? who[$1] : "others") }' names samples |
		sort | uniq -c | tee counts
	[ "$(awk '{ print $2 }' counts | xargs)" = "$*" ]
	awk '$1 < 5 { bad = 1 } END { exit bad }' counts
}

@test "-G samples one cgroup" { samples one cpu-clock=first; }
@test "-G samples a cgroup for each event" { samples two cpu-clock=first task-clock=second; }

@test "-G with no name for an event samples the whole machine by it" {
	samples later cpu-clock=first cpu-clock=others cpu-clock=second task-clock=second
}

@test "a whole machine is filtered by process" { samples pid cpu-clock=second; }
@test "a whole machine is filtered by name" { samples name cpu-clock=first; }
@test "a whole machine is filtered by cgroup" { samples cgroup cpu-clock=second; }

@test "perf's test record_sideband" {
	cat sideband
	grep -q "^sideband: 0" said
	[ "$(grep -c Skipped sideband)" -eq 0 ]
}
