#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Kernel modules that come, go, come back rebuilt, and follow one another at one address,
# under a recording of a whole machine. The stock perfs judge the file elsewhere, with the
# modules in their cache; and what our own records tell is held against the modules' files.
# CYCLES says how many times modules are loaded and unloaded on each kernel (1000 on the
# newest and 100 on the older ones, where a cycle takes a twentieth of a second).

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	local kernel pids=()

	for kernel in 5.10 6.12 newest; do
		in_guest "$kernel" "$BATS_FILE_TMPDIR/$kernel" "$(cycles "$kernel")" 3>&- &
		pids+=($!)
	done
	wait "${pids[@]}"
}

cycles() {
	case ${CYCLES:-}/$1 in
	/newest) echo 1000 ;;
	/*) echo 100 ;;
	*) echo "$CYCLES" ;;
	esac
}

in_guest() {
	scripts/guest --timeout $((1700 + $3 / 2)) --out "$2" "$1" -- bash tests/lib/modules.sh run /out "$3" \
		>"$2.said" 2>&1 || echo "status $?" >>"$2.said"
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
}

# What "CASE right=N wrong=N unknown=N" lines must say: all cases, and no other function.
# One sample may fall on the module's last instructions, of which no function has them.
all_right() {
	cat "$1"
	awk '
		{ for (i = 2; i <= 4; i++) { split($i, f, "="); v[f[1]] = f[2] } }
		v["right"] >= 5 && !v["wrong"] && v["unknown"] <= 2 { good++; next }
		{ print "WRONG " $0; bad++ }
		END { exit bad || good != 15 }' "$1"
}

judged() {
	local kernel=$1 version

	cat "$BATS_FILE_TMPDIR/$kernel.said"
	for version in 6.1 6.12 newest; do
		echo "perf $version:"
		bash tests/lib/modules.sh judge "$BATS_FILE_TMPDIR/$kernel" "$version" \
			>"$BATS_TEST_TMPDIR/judged" || cat "$BATS_FILE_TMPDIR/$kernel/perf.err"
		all_right "$BATS_TEST_TMPDIR/judged"
	done
}

@test "5.10: each stock perf names the function of each sample in a module" { judged 5.10; }
@test "6.12: each stock perf names the function of each sample in a module" { judged 6.12; }
@test "newest: each stock perf names the function of each sample in a module" { judged newest; }

told() {
	bash tests/lib/modules.sh ours "$BATS_FILE_TMPDIR/$1" >"$BATS_TEST_TMPDIR/told"
	all_right "$BATS_TEST_TMPDIR/told"
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
		all(.[]; .inferred == false)' "$BATS_FILE_TMPDIR/$1/lives.json"
}

@test "5.10: our records tell the life of each module, and the build of each sample" { told 5.10; }
@test "6.12: our records tell the life of each module, and the build of each sample" { told 6.12; }
@test "newest: our records tell the life of each module, and the build of each sample" { told newest; }

# Two builds take turns.
every_cycle() {
	local dir=$BATS_FILE_TMPDIR/$1

	cat "$dir/cycles.check"
	jq -e '.ok and .lost_records == 0 and .lost_samples == 0' "$dir/cycles.check"
	jq -s --argjson n "$(cycles "$1")" '
		map(select(.module == "burn")) | length == $n and
		(. as $all | all(range(1; $n); . as $i |
			$all[$i].loaded_ns > $all[$i - 1].unloaded_ns and
			$all[$i].build_id != $all[$i - 1].build_id and
			($i < 2 or $all[$i].build_id == $all[$i - 2].build_id))) and
		all(.[]; .state == "unloaded" and .inferred == false and
			.unloaded_ns > .init_done_ns and .init_done_ns > .loaded_ns)' \
		"$dir/cycles.json" | grep -qx true
}

@test "5.10: of many cycles each load and unload is there, in order, with its build-id" { every_cycle 5.10; }
@test "6.12: of many cycles each load and unload is there, in order, with its build-id" { every_cycle 6.12; }
@test "newest: of many cycles each load and unload is there, in order, with its build-id" { every_cycle newest; }
