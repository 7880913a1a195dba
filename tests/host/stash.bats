#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The stash: identities that were read before are served while the content is the same,
# and no longer. RACE_SECONDS says how long files are rewritten for that (9).

setup_file() {
	export RACE_SECONDS=${RACE_SECONDS:-9}
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=identity.sh
	. tests/lib/identity.sh
	# shellcheck source-path=SCRIPTDIR/../lib source=stash.sh
	. tests/lib/stash.sh
	dir=$BATS_TEST_TMPDIR/files data=$BATS_TEST_TMPDIR/data
	stash__contents "$dir"
}

teardown() {
	identity__let_go
	memory__remove
}

count() {
	identity__count "$1" "$line"
}

# record_workload COMMAND: records it, which knows the helpers.
record_workload() {
	"$perfstamp" record -e cpu-clock -F 99 -m 8M -o "$data" "${options[@]}" -- \
		bash -c "set -euo pipefail; . tests/lib/identity.sh; . tests/lib/stash.sh; $1"
}

@test "files that are rewritten while they are mapped: only what was in them at the time" {
	local how hows=(pwrite mmap rename truncate utimes reuse) line options=(--map-ring-size 8M)

	# In memory, where stores through a mapping leave no trace at all.
	memory__make
	stash__contents "$memory"
	record_workload "stash__rewrite -r $dir $RACE_SECONDS ${hows[*]} &
		stash__rewrite -r $memory $RACE_SECONDS mmap; wait"
	run stash__judge "$data" "$dir" "${hows[@]}"
	echo "$output"
	for how in "${hows[@]}"; do
		line=$(grep "^$how: " <<<"$output")
		[ "$(count wrong)" = 0 ]
		[ "$(count first)" -ge 50 ]
		[ "$(count second)" -ge 50 ]
		[ "$(count timed)" -ge 200 ]
		# Otherwise it was not tried.
		if stash__is_for "$dir"; then [ "$(count stashed)" -ge 10 ]; fi
	done
	run stash__judge "$data" "$memory" mmap
	echo "$output"
	line=${lines[-1]}
	[ "$(count wrong)" = 0 ]
	[ "$(count timed)" -ge 200 ]
	[ "$(count stashed)" = 0 ]
}

@test "files that are rewritten, and whose pages are gone again and again: what was mapped, or nothing" {
	local how hows=(pwrite truncate utimes) line options=(--map-ring-size 8M)

	record_workload "stash__drop $tools/drop_pages ${hows[*]/#/$dir/} &
		dropper=\$!
		stash__rewrite -k $dir $RACE_SECONDS ${hows[*]}
		kill \$dropper"
	run stash__judge "$data" "$dir" "${hows[@]}"
	echo "$output"
	for how in "${hows[@]}"; do
		line=$(grep "^$how: " <<<"$output")
		[ "$(count wrong)" = 0 ]
	done
	# Otherwise it was not tried.
	run -0 bash -c "grep -E '\"source\":\"(user|faulted)\"' '$dir/dump' |
		grep -cE '\"path\":\"$dir/(pwrite|truncate|utimes)\"'"
	echo "$output"
	[ "$output" -ge 10 ]
}

@test "pages that are gone again: what is known of their content is served" {
	local options=()

	stash__is_for "$dir" || skip "identities are not kept on this file system"
	record_workload "stash__evict $dir $data $tools/drop_pages"
	run -0 stash__last "$data" "$dir/known"
	echo "$output"
	[ "$output" = "$stash__a stash" ]
	# It was mapped before as well, but has changed since.
	run -0 stash__last "$data" "$dir/changed"
	echo "$output"
	[[ $output =~ ^"$stash__b "(user|faulted)$ ]]
	# The pages were gone indeed.
	run -0 stash__last "$data" "$dir/once"
	echo "$output"
	[[ $output =~ ^"$stash__a "(user|faulted)$ ]]
}

@test "every mapped file has a cookie, also where it has a build-id" {
	local options=() id cookie both=0

	record_workload "identity__hold mmap:$dir/A mmap:$dir/B dlopen:/lib/$(uname -m)-linux-gnu/libz.so.1
		identity__settle $data
		identity__let_go"
	run -0 bash -c "'$perfstamp' dump --json '$data' | jq -r 'select(.type == \"MMAP2\" and
		.mode == \"user\" and (.path | startswith(\"/\"))) |
			[.cookie, .build_id // \"-\", .path] | @tsv'"
	echo "$output"
	while read -r cookie id _; do
		[[ $cookie =~ ^01[0-9a-f]{32}$ ]]
		if [ "$id" != - ]; then both=$((both + 1)); fi
	done <<<"$output"
	[ "$both" -ge 5 ]
}
