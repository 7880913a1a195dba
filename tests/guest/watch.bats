#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# watch of a whole machine, so not of the host of the tests. One boot runs all
# (tests/lib/watch_guest.sh); the tests look at what was written.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	scripts/guest --timeout 1200 --out "$BATS_FILE_TMPDIR" 6.12 -- bash tests/lib/watch_guest.sh \
		>"$BATS_FILE_TMPDIR/said" 2>&1 || echo "status $?" >>"$BATS_FILE_TMPDIR/said"
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
	cat said ./*.said
	[ ! -s said ]
}

@test "a module that comes and goes is told, after those that were there" {
	jq -se --arg path "$(cat dummy)" '
		[.[] | select(.type == "module" and .module == "dummy")] as $dummy |
		($dummy | map(.event)) == ["load", "unload"] and
		all($dummy[]; .path == $path and (.build_id | length) == 40 and .realtime_ns > 0 and
			(has("existing") | not)) and
		any(.[]; .type == "module" and .existing)' all.json
}

@test "what was mapped at the start is told where it is asked for" {
	jq -se 'any(.[]; .type == "dso" and .existing and (.path | endswith("/bash"))) and
		(map(select(.type == "dso") | .path + .build_id + .cookie) | length == (unique | length))' \
		all.json
}

@test "what is mapped in a cgroup and below it is told, and nothing else" {
	jq -se --arg id "$(cat build_id)" '
		(map(.path | split("/") | last) | contains(["in-one", "in-below"])) and
		all(.[] | select(.type == "dso"); .cgroup == "/one" or .cgroup == "/one/below") and
		all(.[] | select(.path | test("/in-")); .build_id == $id)' some.json
}
