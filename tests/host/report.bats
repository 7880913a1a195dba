#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# perfstamp report on recordings made here: the functions that stock perf finds, those of
# the right build where a path had several, and no others.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	local perfstamp=$PWD/${OUTPUT:-.output}/perfstamp tools=$PWD/${OUTPUT:-.output}/tools n

	export HOME=$BATS_FILE_TMPDIR STORE=$BATS_FILE_TMPDIR/store
	cd "$BATS_FILE_TMPDIR" || return
	mkdir at
	for n in 1 2; do
		cp "$tools/swapped-$n" "build-$n"
		keep "build-$n" elf "build-$n"
	done
	# One path, five times another build; the last is the second.
	cat >replace <<-'END'
		for n in 2 1 2 1 2; do
			cp "build-$n" at/new && mv at/new at/server && at/server 150
		done
	END
	"$perfstamp" record -q -e cpu-clock -F 1999 -o replaced.data -- sh replace
}

# keep FILE KIND OF: FILE as KIND in the store, by the build-id of OF.
keep() {
	local id

	id=$(build_id "$3")
	mkdir -p "$STORE/.build-id/${id:0:2}/${id:2}"
	cp "$1" "$STORE/.build-id/${id:0:2}/${id:2}/$2"
}

build_id() {
	readelf -n "$1" 2>/dev/null | sed -n 's/^ *Build ID: //p'
}

setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	load ../lib/recording
	files=$BATS_FILE_TMPDIR
}

teardown() {
	recording__end
}

report() {
	"$perfstamp" report --no-debuginfod "$@"
}

# The samples of each function of the program, one a line: BUILD-ID FUNCTION SAMPLES.
functions() {
	report --json -s dso,sym "$@" |
		jq -r 'select(.type == "row" and (.symbol // "" | startswith("in_build"))) |
			"\(.build_id) \(.symbol) \(.samples)"'
}

# "DSO|FUNCTION SAMPLES" for each, as stock perf and as we say it.
perf_says() {
	perf 6.12 report --stdio --no-children -g none -F sample,dso,sym --percent-limit 0 \
		-t '|' -i "$1" 2>perf.stderr |
		sed -n '/^#/d; s/ *| */|/g; s/^ *\([0-9]*\)|\(.*[^ ]\) *$/\2 \1/p' | LC_ALL=C sort
}

we_say() {
	report -n --no-children -s dso,sym "$1" |
		sed -n '/^#/d; s/^ *[0-9.]*%  *\([0-9]*\)  \([^ ]*\)  *\(.*[^ ]\) *$/\2|\3 \1/p' |
		LC_ALL=C sort
}

# Adds up the last column by the text before SEPARATOR.
add_up() {
	awk -F"$1" '{ n = $NF; sub(/.* /, "", n); sum[$1] += n }
		END { for (key in sum) print key, sum[key] }' | LC_ALL=C sort
}

@test "the functions and samples are those of stock perf" {
	cat >work <<-END
		for n in 1 2 3; do
			xz -1 -c <"$perfstamp" >xz.out
			sha256sum xz.out >sum.out
			"$files/build-1" 100
		done
	END
	record -q -F 1999 -o data -- sh work
	perf_says data >perf.says
	we_say data >we.say
	diff perf.says we.say >differ || true
	# Each DSO has the same samples, and the program's functions all of theirs.
	diff <(add_up '|' <perf.says) <(add_up '|' <we.say)
	diff <(grep '^build-1|' perf.says) <(grep '^build-1|' we.say)
	grep '^build-1|.*in_build_1 ' we.say
	# Of two names for one address either is right; else they agree.
	total=$(awk '{ n += $NF } END { print n }' we.say)
	other=$(sed -n 's/^> //p' differ | awk '{ n += $NF } END { print n + 0 }')
	echo "$other of $total samples have another name than in perf" && cat differ
	[ "$total" -gt 20 ]
	[ "$((20 * other))" -le "$total" ]
}

@test "of two builds at one path each has its own functions" {
	functions --buildid-dir "$STORE" "$files/replaced.data" >found
	cat found
	for n in 1 2; do
		id=$(build_id "$files/build-$n")
		grep "^$id in_build_$n " found
		run ! grep "^$id in_build_$((3 - n)) " found
	done
	# They are told apart by name, too.
	report --no-pager --buildid-dir "$STORE" "$files/replaced.data" >text
	for n in 1 2; do
		id=$(build_id "$files/build-$n")
		grep "server (${id:0:12})  *\[\.\] in_build_$n" text
	done
}

@test "what is at the path now is not taken for what was there" {
	functions "$files/replaced.data" >found
	cat found
	run ! grep "^$(build_id "$files/build-1")" found
	grep "^$(build_id "$files/build-2") in_build_2 " found
	run ! grep in_build_1 found
	report "$files/replaced.data" >text
	grep "# .* in .*/server ($(build_id "$files/build-1")): what is at the path now has another" text
	grep '^# To mend the most of it: ' text
	report --json "$files/replaced.data" >json
	[ "$(jq -r 'select(.type == "unresolved" and .dso == "server") | .lack' json)" = other-file ]
}

@test "nothing that has another content is taken from the store" {
	mkdir wrong
	id=$(build_id "$files/build-1")
	mkdir -p "wrong/.build-id/${id:0:2}/${id:2}"
	# The other build by this one's name; and this one's build-id on another content.
	cp "$files/build-2" "wrong/.build-id/${id:0:2}/${id:2}/elf"
	functions --buildid-dir wrong "$files/replaced.data" >found
	run ! grep "^$id" found
	cp "$files/build-1" "wrong/.build-id/${id:0:2}/${id:2}/elf"
	functions --buildid-dir wrong "$files/replaced.data" | grep "^$id in_build_1 "
	printf X | dd of="wrong/.build-id/${id:0:2}/${id:2}/elf" bs=1 seek=100 conv=notrunc status=none
	functions --buildid-dir wrong "$files/replaced.data" >found
	run ! grep "^$id" found
}

@test "a stripped file has its functions from a debug file, a damaged one has none" {
	cp "$files/build-1" server
	objcopy --only-keep-debug server server.debug
	strip server
	record -q -F 1999 -o data -- ./server 200
	report data >text
	run ! grep in_build text
	grep '/server (.*): it is stripped' text
	STORE=$PWD/kept keep server.debug debug server
	functions --buildid-dir kept data >found
	grep " in_build_1 " found
	# Also where the file itself is gone.
	rm server
	functions --buildid-dir kept data >again
	diff found again
	[ "$(report --buildid-dir kept --json -s dso,sym data |
		jq -r 'select(.symbol == "in_build_1") | .origin')" = debug-file ]
}

@test "names that would act on a terminal are shown escaped" {
	name=$'a\nb\e[31m;c'
	cp "$files/build-1" "$name"
	record -q -F 1999 -o data -- "./$name" 100
	report --no-pager data >text
	run ! grep -q $'\e' text
	grep -F 'a\nb\x1b[31m;c' text
	report --json data | jq -e 'select(.type == "row" and .comm == "a\nb\u001b[31m;c")' >/dev/null
	# A semicolon would be one more frame.
	report --folded data >folded
	grep -F 'a\nb\x1b[31m:c;' folded
	run ! grep -F "m;c" folded
}

@test "a recording of perf: by its build-ids, and without them only by force" {
	perf 6.12 record -q -e cpu-clock -F 1999 -o data "$files/build-2" 100 >/dev/null
	functions data | grep "^$(build_id "$files/build-2") in_build_2 "
	perf 6.12 record -q -N -B --no-buildid-mmap -e cpu-clock -F 1999 -o none \
		"$files/build-2" 100 >/dev/null
	[ -z "$(functions none)" ]
	report none | grep '/build-2: the recording does not tell which content it was'
	functions --force none 2>said | grep ' in_build_2 '
	grep 'without an identity were resolved by what is at their paths now' said
}

@test "samples are chosen by thread, DSO, function and time" {
	data=$files/replaced.data
	all=$(report --json -s comm --buildid-dir "$STORE" "$data" |
		jq -s 'map(select(.type == "row" and .comm == "server")) | .[0].samples')
	[ "$(report --json -s comm -c server --buildid-dir "$STORE" "$data" |
		jq -s 'map(select(.type == "row")) | [length, .[0].samples] | @tsv' -r)" = "1	$all" ]
	report --json -s dso,sym -d server -S in_build_1 --buildid-dir "$STORE" "$data" |
		jq -s 'map(select(.type == "row")) | map(.symbol) == ["in_build_1"]' | grep true
	# Before and after a moment is all.
	middle=$("$perfstamp" dump --json "$data" | jq -r 'select(.type == "SAMPLE") | .time_ns' |
		sort -n | awk '{ at[NR] = $1 } END { t = at[int(NR / 2)]; printf "%d.%09d", t / 1e9, t % 1e9 }')
	before=$(report --json -s comm -c server --time ",$middle" "$data" |
		jq -s 'map(select(.type == "row") | .samples) | add // 0')
	after=$(report --json -s comm -c server --time "$middle," "$data" |
		jq -s 'map(select(.type == "row") | .samples) | add // 0')
	echo "$before + $after of $all"
	[ "$before" -gt 0 ]
	[ "$after" -gt 0 ]
	# What is of that very moment counts on both sides.
	[ "$((before + after - all))" -ge 0 ]
	[ "$((before + after - all))" -le 4 ]
}

@test "wrong usage is told" {
	for wrong in '--sort=nonsense' '--percent-limit=x' '--time=5' '--time=5,4' '--json --folded'; do
		# shellcheck disable=SC2086 # several words
		run report $wrong "$files/replaced.data"
		[ "$status" -eq 2 ]
	done
	run report "$files/build-1"
	[ "$status" -eq 1 ]
}
