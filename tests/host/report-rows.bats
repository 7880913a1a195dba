#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The rows of report: DSOs without symbols, and columns.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup_file() {
	load ../lib/recording
	cd "$BATS_FILE_TMPDIR" || exit
	# Many addresses, and none of them has a name: no symbols, no build-id's debug file.
	cat >busy.c <<-'END'
		int main(void)
		{
			volatile unsigned long x = 0;
			for (unsigned long i = 0; i < 150000000; i++) {
				x += i; x ^= i << 3; x -= 7; x *= 5; x ^= x >> 3; x += 9;
			}
			return 0;
		}
	END
	cc -O1 -s -Wl,--build-id -o nameless busy.c
	cp nameless '計算'
	record -q -F 1999 -o data -- sh -c './nameless; ./計算'
}

setup() {
	load ../lib/recording
	data=$BATS_FILE_TMPDIR/data
}

report() {
	"$perfstamp" report --no-debuginfod --no-pager "$@"
}

@test "a DSO without symbols is one row, and -v and --json have its addresses" {
	report -s dso,sym -d nameless "$data" | grep -v '^#\|^$' >rows
	[ "$(wc -l <rows)" -eq 1 ]
	grep -E '^ +[0-9.]+%  nameless +\[\.\] \[no symbols\]$' rows
	report -v -n -s dso,sym -d nameless "$data" | grep -v '^#\|^$' >addresses
	[ "$(wc -l <addresses)" -gt 3 ]
	run ! grep -v '\[\.\] 0x[0-9a-f]*$' addresses
	report --json -s dso,sym -d nameless "$data" | jq -r 'select(.type == "row") | .address' >json
	[ "$(wc -l <json)" -eq "$(wc -l <addresses)" ]
	# No sample is lost.
	report -n -s dso,sym -d nameless "$data" | awk '!/^#/ && NF { n += $2 } END { print n }' >one
	awk '{ n += $2 } END { print n }' addresses | diff - one
	# By lines, which there are none of, too.
	[ "$(report -s srcline -d nameless "$data" | grep -c '\[no symbols\]')" -eq 1 ]
}

@test "characters of two columns keep the columns in line" {
	report -s dso,sym -n --percent-limit 5 "$data" | grep -v '^#\|^$' >rows
	grep -q 'nameless' rows && grep -q '計算' rows
	# Where the symbol begins, in columns of a terminal.
	python3 - <<-'END' >columns
		import unicodedata
		for line in open("rows", encoding="utf-8"):
		    before = line[:line.index("[.] " if "[.] " in line else "[k] ")]
		    print(sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in before))
	END
	[ "$(sort -u columns | wc -l)" -eq 1 ]
}

@test "the command at the end is the one that can resolve the most samples, and how many" {
	# Of one DSO that no server has, there are more than of any other.
	sed 's/150000000/60000000/' "$BATS_FILE_TMPDIR/busy.c" >one.c
	sed 's/150000000/100000000/' "$BATS_FILE_TMPDIR/busy.c" >most.c
	cc -O1 -s -Wl,--build-id -o one one.c
	cp one two
	cc -O1 -s -Wl,--build-id=none -o most most.c
	record -q -F 1999 -o "it's data" -- sh -c './one; ./two; ./most'
	report --json "it's data" | jq -s 'map(select(.type == "unresolved"))' >lacks
	jq -e '.[0].dso == "most"' lacks
	n=$(jq '[.[] | select(.build_id and (.lack | . == "no-file" or . == "other-file" or . == "stripped")).samples] | add' lacks)
	report "it's data" >text
	tail -n 8 text
	[ "$(grep '^# To resolve' text)" = "# To resolve up to $n of them: DEBUGINFOD_URLS=https://debuginfod.elfutils.org/ perfstamp report \$'it\'s data'" ]
}

# libelf does not find it: the note ends with its section, without padding.
@test "a file whose build-id has two bytes is the one that was mapped" {
	cat >short.c <<-'END'
		__attribute__((noinline)) void spin(void)
		{
			for (volatile unsigned long i = 0; i < 100000000; i++)
				;
		}
		int main(void) { spin(); return 0; }
	END
	cc -O1 -Wl,--build-id=0x1234 -o short short.c
	await is_no_longer_young short
	record -q -F 1999 -o short.data -- ./short
	report --json -s sym -d short short.data >rows
	jq -e 'select(.type == "row" and .symbol == "spin") | .samples > 10' rows
	run ! grep -F '"unresolved"' rows
	"$perfstamp" export --pprof -o short.pb.gz short.data 2>export.err
	run ! grep 'not found' export.err
}

# The first page has no code, and the size is the same.
@test "files without a build-id that cannot be told apart are shown with a warning" {
	for name in one two; do
		sed "s/spin/spin_$name/" <<-'END' >"$name.c"
			__attribute__((noinline)) void spin(void)
			{
				for (volatile unsigned long i = 0; i < 50000000; i++)
					;
			}
			int main(void) { spin(); return 0; }
		END
		cc -O1 -Wl,--build-id=none -o "$name" "$name.c"
	done
	[ "$(head -c 4096 one | sha256sum)" = "$(head -c 4096 two | sha256sum)" ]
	[ "$(stat -c %s one)" -eq "$(stat -c %s two)" ]
	run ! cmp one two
	mkdir d && mv one two d
	record -q -F 1999 -o once -- d/one
	report once 2>once.err >rows
	run ! grep warning once.err
	record -q -F 1999 -o twice -- sh -c 'mv d/one d/app && d/app && mv d/two d/app && d/app'
	report twice 2>twice.err >rows
	cat twice.err
	grep -F "warning: $(realpath d)/app: files without a build-id replaced one another; they have one cookie " twice.err
	report -q twice 2>quiet.err >rows
	[ ! -s quiet.err ]
}
