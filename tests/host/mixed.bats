#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A path at which a recording has content without a build-id, and content with one: each
# keeps its own functions, in report and as far as stock perf knows it.

setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	. "$BATS_TEST_DIRNAME/../lib/recording.bash"
	export HOME=$BATS_TEST_TMPDIR
	cp "$tools/swapped-2" with
	objcopy --remove-section .note.gnu.build-id "$tools/swapped-1" without
	mkdir at
	# Each for so long on a CPU, at the same path; their pids are in the order of $1.
	cat >replace <<-'END'
		for one; do
			cp "$one" at/new && mv at/new at/server
			at/server 150 &
			echo "$! $one"
			wait "$!"
		done
	END
}

teardown() {
	recording__end
}

# One recording with the contents in the order of the arguments after the options'.
replace() {
	record -q -F 1999 -o data "${options[@]}" -- bash replace "$@" >pids
}

# is_apart: by perf, with all in its cache, whatever is at the path.
is_apart() {
	local version content pid name

	for content in with without; do
		cp "$content" at/server
		for version in "${perfs[@]}"; do
			perf "$version" script -i data -F pid,ip,sym,dso >script.out 2>script.err
			grep -F "($PWD/at/server)" script.out >shown
			while read -r pid name; do
				awk -v pid="$pid" '$1 == pid' shown >own
				[ -s own ]
				if [ "$name" = with ]; then
					grep -q ' in_build_2 ' own
					run ! grep in_build_1 own
				else
					run ! grep in_build_2 own
				fi
			done <pids
		done
	done
}

is_named() {
	local pid name

	"$perfstamp" report --no-debuginfod --json -s pid,dso,sym data >report.json
	while read -r pid name; do
		jq -r --argjson pid "$pid" 'select(.type == "row" and .pid == $pid and .dso == "server" and
			(.symbol // "" | startswith("in_build"))) | .symbol' report.json | sort -u >own
		case $name in
		with) [ "$(cat own)" = in_build_2 ] ;;
		without) [ "$(cat own)" = in_build_1 ] ;;
		esac
	done <pids
}

judge() {
	"$perfstamp" cache add with without
	is_apart
	is_named
	"$perfstamp" check data
	is_apart_in_copies
}

# is_apart_in_copies: what perf and we copy it to has one build-id and one cookie, too.
is_apart_in_copies() {
	local version copy

	"$perfstamp" check --repair=copied.ours data >repair.out
	for version in "${perfs[@]}"; do
		perf "$version" inject -b -i data -o "copied.$version" 2>inject.err
	done
	for copy in copied.*; do
		"$perfstamp" list --json "$copy" | jq -r 'select(.path | endswith("/at/server")) |
			if .build_id then "build-id" else "cookie" end' | sort | uniq -c >kinds
		diff <(awk '{ print $1, $2 }' kinds) - <<<$'1 build-id\n1 cookie'
	done
}

@test "first without a build-id, and later with one" {
	options=()
	replace without with
	judge
}

@test "first with a build-id, and later without" {
	options=()
	replace with without
	judge
}

@test "to and fro, compressed" {
	options=(-z)
	replace without with without with
	judge
	# Who has a build-id has no cookie for it, and the other way.
	"$perfstamp" list --json data | jq -r 'select(.path | endswith("/at/server")) |
		if .build_id then "build-id" else "cookie" end' | sort | uniq -c >kinds
	diff <(awk '{ print $1, $2 }' kinds) - <<<$'1 build-id\n1 cookie'
}
