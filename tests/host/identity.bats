#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Every executable mapping of the test's own processes has its identity, on this machine,
# and libelf's reading of the same content is the judge.
# shellcheck disable=SC2016 # backquotes of docs/format.md

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	. tests/lib/identity.sh
	export ODD=$BATS_FILE_TMPDIR/odd
	identity__make_odd "$ODD"
	await is_no_longer_young "$ODD/id-none"
	find /usr/lib -xdev -name '*.so*' -type f | sort | head -n 40 >"$BATS_FILE_TMPDIR/libraries"
	# Hundreds of mappings at once are read in time where no disk is waited for; the test of
	# pages that are not in memory has few.
	xargs cat <"$BATS_FILE_TMPDIR/libraries" >/dev/null
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=identity.sh
	. tests/lib/identity.sh
	data=$BATS_TEST_TMPDIR/data oracle=$BATS_TEST_TMPDIR/oracle
}

teardown() {
	identity__let_go
	[ -z "${server-}" ] || kill "$server" 2>/dev/null || true
	memory__remove
}

# record COMMAND...: records these shell commands, which know the helpers.
record_workload() {
	"$perfstamp" record -e cpu-clock -F 99 -m 8M --map-ring-size 8M -o "$data" -- \
		bash -c "set -euo pipefail; . tests/lib/identity.sh; oracle=$oracle; $1"
}

# All is there, and the counts are in line.
all_there() {
	run -0 identity__compare "$data" "$oracle"
	line=${lines[-1]}
	echo "$line"
	[ "$(count wrong)" = 0 ]
	[ "$(count missing)" = 0 ]
	[ "$(count unseen)" = 0 ]
	[ "$(count bare)" = 0 ]
	[ "$(count gone)" = 0 ]
	[ "$(count right)" = "$(count ids)" ]
}

count() {
	identity__count "$1" "$line"
}

@test "files of all kinds, mapped in all ways: what libelf finds, and nothing else" {
	record_workload "
		mapfile -t files < <(identity__arguments $ODD \
			mmap mprotect dlopen shared memfd tmpfile unlinked twice)
		identity__hold -n 2 \"\${files[@]}\"
		\"\$tools/oracle\" \"\${held[@]}\" >\$oracle
		identity__settle $data
		identity__let_go"
	all_there
	[ "$(count ids)" -ge 80 ]
	[ "$(count without)" -ge 40 ]
}

@test "a hundred processes made while a workload is recorded: every id, none wrong" {
	record_workload "
		mapfile -t files < <(sed 's/^/mmap:/' $BATS_FILE_TMPDIR/libraries)
		identity__hold -n 60 \"\${files[@]:0:10}\"
		identity__hold -n 40 \"\${files[@]:20}\"
		mapfile -t files < <(sed 's/^/mprotect:/' $BATS_FILE_TMPDIR/libraries)
		for i in 1 2 3 4 5; do identity__hold \"\${files[@]:10:10}\"; done
		for pid in \"\${identity__holders[@]}\"; do echo \$pid; cat /proc/\$pid/task/*/children; done |
			xargs \"\$tools/oracle\" >\$oracle
		identity__settle $data
		identity__let_go"
	all_there
	[ "$(count processes)" -ge 100 ]
	[ "$(count mappings)" -ge 400 ]
}

@test "processes given by number: what they had mapped before, and their children's" {
	local pids files

	mapfile -t files < <(sed 's/^/mmap:/' "$BATS_FILE_TMPDIR/libraries")
	identity__hold -n 90 "${files[@]:0:5}"
	pids=("${held[@]}")
	mapfile -t files < <(identity__arguments "$ODD" mmap dlopen unlinked)
	identity__hold "${files[@]}"
	pids+=("${held[@]}")
	mkfifo "$BATS_TEST_TMPDIR/go"
	(
		identity__holders=()
		read -r -t 300 _ <>"$BATS_TEST_TMPDIR/go"
		identity__hold -n 10 "${files[@]}"
		"$tools/oracle" "${held[@]}" "${pids[@]}" >"$oracle"
		identity__settle "$data"
		identity__let_go
		: >"$BATS_TEST_TMPDIR/done"
	) 3>&- &
	server=$!
	"$perfstamp" record -e cpu-clock -F 99 -m 8M --map-ring-size 8M -o "$data" \
		-p "$server,$(IFS=, && echo "${pids[*]}")" -- \
		bash -c ". tests/lib/await.sh; echo >'$BATS_TEST_TMPDIR/go'; await test -e '$BATS_TEST_TMPDIR/done'"
	wait "$server"
	all_there
	[ "$(count processes)" -ge 100 ]
	[ "$(count mappings)" -ge 400 ]
}

@test "pages that are not in memory: the right id, read in user space" {
	record_workload "
		mapfile -t files < <(identity__arguments $ODD mmap)
		identity__hold -c \"\${files[@]}\"
		\"\$tools/oracle\" \"\${held[@]}\" >\$oracle
		identity__settle $data
		identity__let_go"
	all_there
	# One that is just being written, by whomever, is not dropped.
	[ $(($(count user) + $(count faulted))) -ge 10 ]
}

@test "without BPF, what the kernel does not know is completed in user space" {
	# The kernel reads what is in memory, which files on a disk are not always.
	memory__make
	identity__make_odd "$memory"
	# The last one. What user space reads of a file that was just written is a doubt.
	await is_no_longer_young "$memory/id-none"
	"$perfstamp" record --rung MMAP2 -e cpu-clock -F 99 -m 8M -o "$data" -- \
		bash -c "set -euo pipefail; . tests/lib/identity.sh
		mapfile -t files < <(identity__arguments $memory mmap |
			grep -vE '/(version|class|data|cut-.*|filesz|phnum)\$')
		identity__hold -n 2 \"\${files[@]}\"
		\"\$tools/oracle\" \"\${held[@]}\" >$oracle
		identity__settle $data
		identity__let_go"
	all_there
	[ "$(count native)" -ge 20 ]
	[ "$(count user)" -ge 5 ]
}

@test "ids of 1 to 20 bytes and of zeros are kept; longer ones are refused, with the reason" {
	local size id

	record_workload "
		identity__hold mmap:$ODD/id-{1,2,8,16,19,21,64,zeros,none} mmap:$ODD/none
		identity__settle $data
		identity__let_go"
	while read -r file id; do
		size=${file##*/id-}
		[ "$size" != "$file" ] || continue
		run -0 "$perfstamp" list --json --path "$file" "$data"
		echo "$output"
		if [ ${#id} -le 40 ]; then
			[ "$(jq -r .build_id <<<"$output")" = "$id" ]
		else
			[ "$(jq -r '"\(.build_id) \(.reason)"' <<<"$output")" = "null too-long" ]
		fi
		n=$((${n:-0} + 1))
	done <"$ODD/ids"
	[ "$n" = 8 ]
	run -0 "$perfstamp" list --json --path "$ODD/none" "$data"
	echo "$output"
	[ "$(jq -r '"\(.build_id) \(.reason) \(.kind)"' <<<"$output")" = "null no-note cookie" ]
}

@test "what has no id has the cookie of docs/format.md" {
	printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/script"
	record_workload "
		identity__hold mmap:$ODD/empty mmap:$BATS_TEST_TMPDIR/script
		identity__settle $data
		identity__let_go"
	run -0 "$perfstamp" list --json --path "$ODD/empty" "$data"
	[ "$(jq -r .cookie <<<"$output")" = "$(sed -n 's/^| empty | 0 | `\(.*\)` |/\1/p' docs/format.md)" ]
	run -0 "$perfstamp" list --json --path "$BATS_TEST_TMPDIR/script" "$data"
	[ "$(jq -r .cookie <<<"$output")" = \
		"$(sed -n 's/^| `#!\/bin\/sh` and a newline | 10 | `\(.*\)` |/\1/p' docs/format.md)" ]
}

@test "the judge notices an id that is wrong, one that is missing, and a mapping that is" {
	local plain

	record_workload "
		identity__hold mmap:$ODD/plain mmap:$ODD/none
		\"\$tools/oracle\" \"\${held[@]}\" >\$oracle
		identity__settle $data
		identity__let_go"
	all_there
	plain=$(awk -v file="$ODD/plain" '$1 == file { print $2 }' "$ODD/ids")
	cp "$data.json" "$data.good"

	sed "s/$plain/${plain%?}f/" "$data.good" >"$data.json"
	run -1 "$tools/compare" "$data.json" "$oracle"
	echo "$output"
	[[ ${lines[0]} == "WRONG ${plain%?}f "*"/plain" ]]
	[[ ${lines[1]} == *" wrong=1 missing=0 unseen=0 "* ]]

	sed "s/\"build_id\":\"$plain\",/\"reason\":\"not-resident\",/" "$data.good" >"$data.json"
	run -1 "$tools/compare" "$data.json" "$oracle"
	echo "$output"
	[[ ${lines[0]} == "MISSING not-resident "*"/plain" ]]
	[[ ${lines[1]} == *" wrong=0 missing=1 unseen=0 "* ]]

	grep -v /plain "$data.good" >"$data.json"
	run -1 "$tools/compare" "$data.json" "$oracle"
	echo "$output"
	[[ ${lines[0]} == "UNSEEN "*"/plain" ]]
	[[ ${lines[1]} == *" wrong=0 missing=0 unseen=1 "* ]]

	# An id where the content has none.
	sed "/\\/none\"/s/\"reason\":\"no-note\"/\"build_id\":\"$plain\"/" "$data.good" >"$data.json"
	run -1 "$tools/compare" "$data.json" "$oracle"
	echo "$output"
	[[ ${lines[0]} == "WRONG $plain "*"/none" ]]
	[[ ${lines[1]} == *" wrong=1 missing=0 unseen=0 "* ]]
}
