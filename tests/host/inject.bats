#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# inject --jit: stock perf, elsewhere, names code that was made at run time as report does. The
# threads of tools/jit have the name of the code that they run, so that each sample tells what
# is right.

setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	. "$BATS_TEST_DIRNAME/../lib/recording.bash"
	export HOME=$PWD/home
	mkdir home
}

# judge PERF FILE: "RIGHT WRONG NONE" of samples in made code, as this perf names them.
judge() {
	"$root/scripts/perf" "$1" report -i "$2" --stdio -s comm,dso,sym -F sample,comm,dso,sym 2>err |
		awk '$2 ~ /^code/ && $3 ~ /^(\/\/anon|jitted-|\[unknown\])/ {
			if ($5 == $2) right += $1; else if ($5 ~ /^code/) wrong += $1; else none += $1 }
			END { print right + 0, wrong + 0, none + 0 }'
	[ ! -s err ]
}

# named FILE: "SAMPLES SYMBOL" of what was made at run time, as report has it.
named() {
	"$perfstamp" report --no-children -g none -s comm,dso,sym --json -i "$1" | jq -rs '
		[.[] | select(.type == "row" and .symbol != null and (.dso == "//anon" or (.dso | startswith("jitted-"))))] |
		group_by(.symbol)[] | "\(map(.samples) | add) \(.[0].symbol)"' | sort
}

@test "perf names code that changed 3,000 times a second as it was at each sample" {
	local one right wrong none

	record -q -F 2999 -o dump.data -- "$tools/jit" dump 1500 300 64
	rm -f jit-*.dump
	run -0 --separate-stderr "$perfstamp" inject --jit -o dump.jit dump.data
	[ "$output" = "dump.jit: 64 functions in 1 DSO" ]
	[ -z "$stderr" ]
	for one in "${perfs[@]}"; do
		read -r right wrong none < <(judge "$one" dump.jit)
		echo "$one: right $right wrong $wrong none $none"
		[ "$right" -gt 100 ]
		[ "$wrong" -eq 0 ]
		[ "$none" -eq 0 ]
	done
	diff <(named dump.data) <(named dump.jit)
}

@test "what cannot be decided has no name there either" {
	local right wrong none decided

	record -q -F 1999 -o map.data -- "$tools/jit" map 1500 100000 8
	"$perfstamp" inject --jit -o map.jit map.data
	decided=$(named map.data | awk '{ n += $1 } END { print n + 0 }')
	read -r right wrong none < <(judge newest map.jit)
	echo "right $right wrong $wrong none $none decided $decided"
	[ "$wrong" -eq 0 ]
	[ "$right" -gt 20 ]
	[ "$right" -eq "$decided" ]
	diff <(named map.data) <(named map.jit)
}

@test "node's functions in a container that is gone: perf elsewhere finds what perf found on the spot" {
	local one here there

	cat >hot.js <<-'END'
		function hotFunction(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) ^ (s >>> 3); return s; }
		const end = Date.now() + 1500; let x = 0;
		while (Date.now() < end) x += hotFunction(20000);
		require('child_process').execSync('cp /tmp/perf-' + process.pid + '.map was.map; echo ' + process.pid + ' > was.pid');
	END
	# shellcheck disable=SC2016 # for the shell inside
	record -q -F 999 -g -o node.data -- unshare --mount --fork sh -c '
		mount -t tmpfs tmpfs /tmp && exec node --perf-basic-prof-only-functions -' <hot.js
	"$perfstamp" inject --jit -o node.jit node.data
	"$perfstamp" archive -o bundle.tar.gz node.jit
	rm -rf home/.debug
	mkdir home/.debug
	tar -xf bundle.tar.gz -C home/.debug
	# On the spot: the map is where perf looks for it.
	cp was.map "/tmp/perf-$(<was.pid).map"
	here=$("$root/scripts/perf" newest report -i node.data --stdio --no-children -g none -F sample,sym 2>/dev/null |
		awk '/hotFunction/ { n += $1 } END { print n + 0 }')
	rm -f "/tmp/perf-$(<was.pid).map"
	for one in "${perfs[@]}"; do
		there=$("$root/scripts/perf" "$one" report -i node.jit --stdio --no-children -g none -F sample,sym 2>err |
			awk '/hotFunction/ { n += $1 } END { print n + 0 }')
		[ ! -s err ]
		echo "$one: on the spot $here, elsewhere $there"
		[ "$there" -gt 50 ]
		# A sample between two tiers of one function may be undecided.
		[ $((here - there)) -le $((here / 20)) ]
	done
	diff <(named node.data) <(named node.jit)
	# The DSO is one like any other.
	[[ $("$perfstamp" list node.jit) = *jitted-*.so* ]]
	run -0 "$perfstamp" cache --missing node.jit
	[[ $output != *jitted-* ]]
	rm -rf home/.debug
	run "$perfstamp" cache --missing node.jit
	[[ $output = *jitted-* ]]
}

@test "a recording that comes through a pipe is injected into as well" {
	local right wrong none

	record -q -F 2999 -o - -- "$tools/jit" dump 1500 300 64 >dump.data
	rm -f jit-*.dump
	run -0 --separate-stderr "$perfstamp" inject --jit -o dump.jit - < <(cat dump.data)
	[ "$output" = "dump.jit: 64 functions in 1 DSO" ]
	read -r right wrong none < <(judge newest dump.jit)
	echo "right $right wrong $wrong none $none"
	[ "$right" -gt 100 ]
	[ "$wrong" -eq 0 ]
	[ "$none" -eq 0 ]
}

@test "a recording without such code is copied, and nothing is replaced" {
	record -q -F 999 -o none.data -- "$tools/worker" 50
	run -0 "$perfstamp" inject --jit -o none.jit none.data
	[ "$output" = "none.jit: 0 functions in 0 DSOs" ]
	[ ! -e home/.debug ]
	diff <("$root/scripts/perf" newest script -i none.data) <("$root/scripts/perf" newest script -i none.jit)
	run -1 "$perfstamp" inject --jit -o none.jit none.data
	[[ $output = *"none.jit: exists; -f replaces it"* ]]
	run -0 "$perfstamp" inject --jit -f -o none.jit none.data
	run -1 "$perfstamp" inject --jit -f -o none.data none.data
	[[ $output = *"is the input file"* ]]
	run -2 "$perfstamp" inject -o other none.data
	run -2 "$perfstamp" inject --jit none.data
	run -1 "$perfstamp" inject --jit -o other missing.data
	[[ $output = *missing.data* ]]
	[ ! -e other ]
}

@test "the DSOs go into the cache that is named, and are sound" {
	record -q -F 1999 -o dump.data -- "$tools/jit" dump 800 5000 8
	rm -f jit-*.dump
	"$perfstamp" inject --jit --buildid-dir store -o dump.jit dump.data
	[ -n "$(find store -name elf)" ]
	[ ! -e home/.debug ]
	run -0 "$perfstamp" check dump.jit
	run -0 "$perfstamp" cache verify --buildid-dir store
}
