#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Kernel modules that come, go, come back rebuilt, and follow one another at one address,
# under a recording of a whole machine. The stock perfs judge the file elsewhere, with the
# modules in their cache; and what our own records tell is held against the modules' files.
# CYCLES says how many times modules are loaded and unloaded on each kernel (1000 on the
# newest and 100 on the older ones, where a cycle takes a twentieth of a second).

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=guests.bash
	. tests/lib/guests.bash
	guests__each in_guest 5.10 6.12 newest
}

cycles() {
	case ${CYCLES:-}/$1 in
	/newest) echo 1000 ;;
	/*) echo 100 ;;
	*) echo "$CYCLES" ;;
	esac
}

in_guest() {
	local dir=$BATS_FILE_TMPDIR/$1 n

	n=$(cycles "$1")
	scripts/guest --timeout $((1700 + n / 2)) --out "$dir" "$1" -- bash tests/lib/modules.sh run /out "$n" \
		>"$dir.said" 2>&1 || echo "status $?" >>"$dir.said"
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=modules_checks.bash
	. tests/lib/modules_checks.bash
}

judged() { modules__judged "$BATS_FILE_TMPDIR/$1"; }

@test "5.10: each stock perf names the function of each sample in a module" { judged 5.10; }
@test "6.12: each stock perf names the function of each sample in a module" { judged 6.12; }
@test "newest: each stock perf names the function of each sample in a module" { judged newest; }

told() { modules__told "$BATS_FILE_TMPDIR/$1"; }

@test "5.10: our records tell the life of each module, and the build of each sample" { told 5.10; }
@test "6.12: our records tell the life of each module, and the build of each sample" { told 6.12; }
@test "newest: our records tell the life of each module, and the build of each sample" { told newest; }

every_cycle() { modules__every_cycle "$BATS_FILE_TMPDIR/$1" "$(cycles "$1")"; }

@test "5.10: of many cycles each load and unload is there, in order, with its build-id" { every_cycle 5.10; }
@test "6.12: of many cycles each load and unload is there, in order, with its build-id" { every_cycle 6.12; }
@test "newest: of many cycles each load and unload is there, in order, with its build-id" { every_cycle newest; }
