#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Options of record for which perf's users reach beyond the everyday ones, judged by stock
# perf: what it reads, and that it has nothing to complain about.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

teardown() {
	recording__end
}

# All perfs read FILE without a word; what the newest prints is in script.out.
all_read() {
	local version

	for version in "${perfs[@]}"; do
		perf "$version" script -i "$1" >script.out 2>script.err || {
			echo "perf $version script $1: status $?" && cat script.err && return 1
		}
		[ ! -s script.err ] || { echo "perf $version:" && cat script.err && return 1; }
	done
}

@test "perf's options on build-ids are taken, say one sentence, and change nothing" {
	run -0 --separate-stderr record -BN --no-buildid --no-buildid-cache --buildid-all \
		--buildid-mmap --no-buildid-mmap -o data -- true
	[ "$(grep -c "build-ids are always recorded" <<<"$stderr")" -eq 1 ]
	"$perfstamp" list data | grep -q "^$(readelf -n "$(readlink -f /bin/true)" | awk '/Build ID/ { print $3 }') "
	run -0 --separate-stderr record -q -N -o data -- true
	[ -z "$stderr" ]
	[ ! -e "$HOME/.debug" ]
}

@test "the long forms that perf has for its short options mean the same" {
	run -0 --separate-stderr record --event task-clock:u --freq 500 --clockid boottime --cpu 0 \
		--mmap-pages 64 --no-inherit --quiet --output data -- taskset -c 0 "$tools/worker" 200
	[ -z "$stderr" ]
	perf newest evlist -v -i data | grep -q "^task-clock:u:.* sample_freq }: 500,.*clockid: 7"
	run -1 grep -q " inherit: 1" <(perf newest evlist -v -i data)
	start_worker -t 1 5000
	record --verbose --pid "${ids[0]}" -o data -- sleep 0.2
	[ "$(samples data | jq .pid | sort -u)" = "${ids[0]}" ]
	record --tid "${ids[1]}" --count 1000000 -o data -- sleep 0.2
	[ "$(samples data | jq .tid | sort -u)" = "${ids[1]}" ]
	[[ $(event_of data) == *"{ sample_period, sample_freq }: 1000000,"* ]]
}
