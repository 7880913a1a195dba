#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# perfstamp report on recordings with stacks (record --call-graph dwarf): the callers that
# stock perf finds, by the files that were mapped and by no others.

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	cp "$BATS_TEST_DIRNAME/../lib/chain.c" .
	gcc -O1 -fomit-frame-pointer -Wl,--build-id -o chain chain.c
}

setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	load ../lib/recording
	load ../lib/debuginfod
	perfstamp=${perfstamp?} room=("${room[@]?}")
	case $(uname -m) in
	x86_64 | aarch64) ;;
	*) skip "stacks are unwound for x86-64 and arm64" ;;
	esac
	cp "$BATS_FILE_TMPDIR/chain" .
}

teardown() {
	recording__end
}

# with_stacks OPTION... PROGRAM: the program's fixed work, by a clock that every machine has.
with_stacks() {
	"$perfstamp" record -q -e cpu-clock:u -F 999 "${room[@]}" -o data "${@:1:$#-1}" -- "${!#}" 5000
}

# What servers send is kept below the home; none is asked where no $port is set.
report() {
	HOME=$PWD/home DEBUGINFOD_URLS=${port:+http://127.0.0.1:$port} timeout 300 \
		"$perfstamp" report --no-pager --no-inline --buildid-dir "$PWD/store" "$@"
}

# The functions of the program in each chain that ends in chain_c, outermost first, and its
# samples; as we say them, and as stock perf.
we_say() {
	report --folded data 2>said |
		sed -n 's/^[^;]*;//; s/;*\(chain_c\) \([0-9]*\)$/;\1 \2/p' |
		awk '{
			n = split($1, name, ";"); chain = ""
			for (i = 1; i <= n; i++)
				if (name[i] ~ /^(main|chain_.)$/)
					chain = chain " " name[i]
			sum[chain] += $2
		} END { for (chain in sum) print sum[chain] chain }' | sort
}

perf_says() {
	perf newest script --no-inline -F ip,sym -i data 2>perf.stderr |
		awk 'function end() {
			if (leaf == "chain_c")
				sum[chain]++
			leaf = chain = ""
		}
		NF == 0 { end(); next }
		{
			name = $2; sub(/\+0x[0-9a-f]*$/, "", name)
			if (leaf == "")
				leaf = name
			if (name ~ /^(main|chain_.)$/)
				chain = " " name chain
		} END { end(); for (chain in sum) print sum[chain] chain }' | sort
}

# How many samples are in chain_c with exactly these callers, as in we.
chains() {
	awk -v wanted="$*" '{ n = $1; sub(/^[0-9]* /, "") } $0 == wanted { sum += n }
		END { print sum + 0 }' we
}

@test "the callers are those of stock perf" {
	with_stacks --call-graph dwarf ./chain
	we_say >we
	perf_says >perf
	diff perf we
	[ "$(chains main chain_a chain_b chain_c)" -ge 3 ]
	# Nearly all: the stack of what runs before main may be cut.
	[ "$(wc -l <we)" -eq 1 ]
	report data >text
	run ! grep -i 'stacks were recorded' text
	report --json data >json
	jq -s -e 'map(select(.type == "chain") | .frames | map(.symbol) | join(" ")) |
		any(startswith("chain_c chain_b chain_a main"))' json
	# From standard input, and from where it cannot be read again.
	report --folded data >folded
	grep -q 'main;chain_a;chain_b;chain_c ' folded
	report --folded - <data | diff folded -
	# shellcheck disable=SC2002 # by a pipe
	cat data | report --folded - | diff folded -
	"$perfstamp" record -q -e cpu-clock:u -F 999 "${room[@]}" --call-graph dwarf -o - -- ./chain 2000 |
		report --folded - >folded
	grep -q 'main;chain_a;chain_b;chain_c ' folded
}

@test "by a file that is in the store alone, and by no other at its path" {
	with_stacks --call-graph dwarf ./chain
	we_say >with
	mv chain away
	# Another program, in which everything stands elsewhere.
	sed 's/^static/void before(void);\nvoid before(void) { }\nstatic/' "$BATS_FILE_TMPDIR/chain.c" >other.c
	gcc -O0 -Wl,--build-id -o chain other.c
	report --folded data 2>said >folded
	run ! grep -E '(^|;)main[; ]' folded
	grep -E '^perfstamp report: warning: Stacks not unwound completely: [0-9]+ of [0-9]+$' said
	grep -E 'warning:   [0-9]+ in a DSO whose file was not found$' said
	report data >text
	grep -E '^# Stacks not unwound completely: [0-9]+ of [0-9]+$' text
	grep -E '^#   [0-9]+ in a DSO whose file was not found$' text
	mkdir store
	"$perfstamp" cache --buildid-dir "$PWD/store" add away
	rm chain
	we_say >we
	diff with we
	[ "$(chains main chain_a chain_b chain_c)" -ge 3 ]
}

@test "by a file that a debuginfod sends, and by none of another content" {
	local id

	with_stacks --call-graph dwarf ./chain
	we_say >with
	mkdir home served lying
	mv chain served/
	# Nobody listens at port 1: asked once, told, and the report goes on.
	port=1
	we_say >we
	run ! grep 'main' we
	cat said
	grep -xE 'perfstamp report: warning: stacks: debuginfod: .*, from http://127.0.0.1:1; nothing more was asked for' said
	[ "$(grep -c 'nothing more' said)" -eq 1 ]
	# Another program that has got this one's build-id.
	id=$(readelf -n served/chain | sed -n 's/^ *Build ID: //p')
	gcc -O0 -Wl,--build-id -o other "$BATS_FILE_TMPDIR/chain.c"
	objcopy --dump-section .note.gnu.build-id=note served/chain kept
	objcopy --update-section .note.gnu.build-id=note other lying/chain
	debuginfod__start lying executable "$id"
	we_say >we
	cat said
	run ! grep 'main' we
	grep 'another identity' said
	recording__end
	rm -rf home/.cache
	debuginfod__start served executable "$id"
	we_say >we
	diff with we
	[ "$(chains main chain_a chain_b chain_c)" -ge 3 ]
	run ! grep 'stacks:' said
}

@test "a copy of the stack that is too short" {
	with_stacks --call-graph dwarf,1024 ./chain
	we_say >we
	# What chain_b has on it is more.
	[ "$(chains chain_b chain_c)" -ge 3 ]
	[ "$(wc -l <we)" -eq 1 ]
	grep -E 'warning:   [0-9]+ at the end of the copy of the stack$' said
}

@test "damaged unwind tables cost callers, and no samples" {
	local seed at size

	read -r at size < <(readelf -SW chain | sed -n 's/^ *\[.*\] \.eh_frame  *[^ ]* *[^ ]* *\([^ ]*\) *\([^ ]*\).*/\1 \2/p')
	at=$((16#$at)) size=$((16#$size))
	[ "$size" -gt 100 ]
	for seed in 1 2 3; do
		cp "$BATS_FILE_TMPDIR/chain" chain
		while read -r offset byte; do
			printf '%b' "\\x$byte" | dd of=chain bs=1 seek="$offset" conv=notrunc status=none
		done < <(awk -v seed="$seed" -v at="$at" -v size="$size" 'BEGIN {
			srand(seed)
			for (i = 0; i < size / 4; i++)
				printf "%d %02x\n", at + int(rand() * size), int(rand() * 256)
		}')
		with_stacks --call-graph dwarf ./chain
		report --folded data >folded 2>said
		[ "$(awk '{ n += $NF } END { print n }' folded)" -eq "$(samples data | wc -l)" ]
		grep -E '(^|;)chain_c [0-9]+$' folded
	done
}
