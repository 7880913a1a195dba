# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What is to hold of the recordings of modules that tests/lib/modules.sh has made in a guest.
# Sourced by bats at the tree's root. DIR has a guest's /out, and beside it, as DIR.said, what
# the guest said.

# What "CASE right=N wrong=N unknown=N" lines must say: all cases, and no other function.
# One sample may fall on the module's last instructions, of which no function has them.
modules__all_right() {
	cat "$1"
	awk '
		{ for (i = 2; i <= 4; i++) { split($i, f, "="); v[f[1]] = f[2] } }
		v["right"] >= 5 && !v["wrong"] && v["unknown"] <= 2 { good++; next }
		{ print "WRONG " $0; bad++ }
		END { exit bad || good != 15 }' "$1"
}

# modules__judged DIR: each stock perf names the function of each sample.
modules__judged() {
	local dir=$1 version

	cat "$dir.said"
	for version in 6.1 6.12 newest; do
		echo "perf $version:"
		bash tests/lib/modules.sh judge "$dir" "$version" \
			>"$BATS_TEST_TMPDIR/judged" || cat "$dir/perf.err"
		modules__all_right "$BATS_TEST_TMPDIR/judged"
	done
}

# modules__told DIR: our records tell the life of each module, and the build of each sample.
modules__told() {
	local dir=$1

	bash tests/lib/modules.sh ours "$dir" >"$BATS_TEST_TMPDIR/told"
	modules__all_right "$BATS_TEST_TMPDIR/told"
	# What was there before, and the one that its init refused.
	jq -se '
		map(select(.module == "burn")) as $burn |
		($burn | length) == 6 and $burn[0].snapshot and $burn[0].loaded_ns == 0 and
		($burn[1:5] | all(.state == "unloaded" and .unloaded_ns > .loaded_ns)) and
		$burn[5].state == "loaded" and
		($burn | map(.build_id) | unique | length) == 2 and
		any(.[]; .module == "slow" and .state == "init-failed" and .init_errno == 5 and
			.init_done_ns > .loaded_ns) and
		([.[] | select(.module == "raid6_pq") | .path] | length == 2 and
			all(test("/raid6_pq.ko"))) and
		all(.[]; .inferred == false)' "$dir/lives.json"
	# Report names the text of an init function as perf does.
	"${OUTPUT:-.output}/perfstamp" report --no-debuginfod --stdio --sort dso,sym -i "$dir/data" |
		grep '\[slow\]\.init\.text'
}

# modules__every_cycle DIR N: two builds take turns, N loads in all.
modules__every_cycle() {
	local dir=$1

	cat "$dir/cycles.check"
	jq -e '.ok and .lost_records == 0 and .lost_samples == 0' "$dir/cycles.check"
	jq -s --argjson n "$2" '
		map(select(.module == "burn")) | length == $n and
		(. as $all | all(range(1; $n); . as $i |
			$all[$i].loaded_ns > $all[$i - 1].unloaded_ns and
			$all[$i].build_id != $all[$i - 1].build_id and
			($i < 2 or $all[$i].build_id == $all[$i - 2].build_id))) and
		all(.[]; .state == "unloaded" and .inferred == false and
			.unloaded_ns > .init_done_ns and .init_done_ns > .loaded_ns)' \
		"$dir/cycles.json" | grep -qx true
}
