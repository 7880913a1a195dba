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
	mkdir -p "$STORE/kept/$id" "$STORE/.build-id/${id:0:2}"
	ln -sfn "../../kept/$id" "$STORE/.build-id/${id:0:2}/${id:2}"
	cp "$1" "$STORE/kept/$id/$2"
}

build_id() {
	readelf -n "$1" 2>/dev/null | sed -n 's/^ *Build ID: //p'
}

setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	load ../lib/recording
	# shellcheck source-path=SCRIPTDIR/../lib source=debuginfod.bash
	load ../lib/debuginfod
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
	report -v -n --no-children -s dso,sym "$1" |
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
	grep "# .* in .*/server ($(build_id "$files/build-1")): the file now at the path has another" text
	grep '^# To resolve up to [0-9]* of them: ' text
	report --json "$files/replaced.data" >json
	[ "$(jq -r 'select(.type == "unresolved" and .dso == "server") | .lack' json)" = other-file ]
}

@test "nothing that has another content is taken from the store" {
	id=$(build_id "$files/build-1")
	# The other build by this one's name; and this one's build-id on another content.
	STORE=$PWD/wrong keep "$files/build-2" elf "$files/build-1"
	functions --buildid-dir wrong "$files/replaced.data" >found
	run ! grep "^$id" found
	STORE=$PWD/wrong keep "$files/build-1" elf "$files/build-1"
	functions --buildid-dir wrong "$files/replaced.data" | grep "^$id in_build_1 "
	printf X | dd of="wrong/kept/$id/elf" bs=1 seek=100 conv=notrunc status=none
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

@test "a debug file alone serves for a mapping of larger pages than here" {
	local at n=0

	cat >spin.c <<-'END'
		int main(void)
		{
			for (volatile unsigned long i = 0; i < 300000000; i++) { }
			return 0;
		}
	END
	gcc -O1 -g -Wl,--build-id,-z,max-page-size=65536 -o spin spin.c
	objcopy --only-keep-debug spin spin.debug
	record -q -F 1999 -o data -- ./spin
	# The mapping as a machine with pages of 64 KiB has it: its length stands 48 bytes before the path.
	while IFS=: read -r at _; do
		[ "$(od -An -v -tx8 -j$((at - 48)) -N8 data)" = ' 0000000000001000' ] || continue
		printf '\x00\x00\x01' | dd of=data bs=1 seek=$((at - 48)) conv=notrunc status=none
		n=$((n + 1))
	done < <(grep -aobF "$PWD/spin" data)
	[ "$n" -ge 1 ]
	"$perfstamp" dump data | grep '^MMAP[23] .* len=0x10000 .*/spin"'
	STORE=$PWD/kept keep spin.debug debug spin
	rm spin
	report --buildid-dir kept --json -s dso,sym data |
		jq -se 'any(.[]; .type == "row" and .symbol == "main" and .origin == "debug-file")'
}

@test "stripped files: compressed symbols, dynamic ones, and stubs by their relocations" {
	cat >lib.c <<-'END'
		static volatile unsigned long sink;
		__attribute__((noinline)) static void hidden_work(void)
		{
			for (int i = 0; i < 1000000; i++) sink += i;
		}
		void shown_work(void) { for (int i = 0; i < 1000000; i++) sink += i; hidden_work(); }
		void tiny(void) { }
	END
	cat >main.c <<-'END'
		#include <time.h>
		void shown_work(void);
		void tiny(void);
		int main(void)
		{
			struct timespec t;
			do {
				shown_work();
				for (int i = 0; i < 1000000; i++) tiny();
				clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
			} while (!t.tv_sec && t.tv_nsec < 400000000);
			return 0;
		}
	END
	gcc -O1 -fPIC -shared -Wl,--build-id -o libwork.so lib.c
	gcc -O1 -Wl,--build-id -o work main.c -L. -lwork -Wl,-rpath,"$PWD"
	# As distributions make it: what the dynamic table does not have.
	nm -D libwork.so --format=posix --defined-only | awk '{ print $1 }' | sort >dynamic
	nm libwork.so --format=posix --defined-only | awk '$2 ~ /[Tt]/ { print $1 }' | sort >all
	comm -13 dynamic all >keep
	objcopy --keep-symbols=keep --strip-debug libwork.so mini
	objcopy -S --remove-section .comment mini mini.none
	objcopy --only-keep-debug libwork.so mini.debug
	objcopy -S --keep-symbols=keep mini.debug mini.mini
	xz -k mini.mini
	strip libwork.so
	strip work
	record -q -F 1999 -o stripped.data -- ./work
	report stripped.data >text
	grep '\[\.\] shown_work' text
	grep '\[\.\] tiny@plt' text
	run ! grep hidden_work text
	objcopy --add-section .gnu_debugdata=mini.mini.xz libwork.so
	record -q -F 1999 -o mini.data -- ./work
	report --json -s dso,sym mini.data | jq -r 'select(.dso == "libwork.so") |
		"\(.symbol) \(.origin)"' >found
	cat found
	grep -x 'hidden_work gnu_debugdata' found
	grep -x 'shown_work dynsym' found
}

# foreign ARCH CLASS: what each command tells of a recording of that architecture.
foreign() {
	"${tools:?}/foreign" "$1" data program
	readelf -h program >header
	grep 'big endian' header
	grep "ELF$2" header
	[ "$("$perfstamp" list data)" = "0102030405060708090a0b0c0d0e0f1011121314 /opt/foreign" ]
	"$perfstamp" check data
	"$perfstamp" dump --header data >header
	grep "name=\"arch\" text=\"$1\"" header
	"$perfstamp" dump --json data | jq -r 'select(.type == "SAMPLE").pid' >pids
	[ "$(sort pids | uniq -c | xargs)" = "8 77" ]
	report data >text
	grep '8 in /opt/foreign (0102030405060708090a0b0c0d0e0f1011121314): no file' text
	"$perfstamp" cache add --buildid-dir kept program
	report --buildid-dir kept --json -s comm,dso,sym data | jq -r 'select(.type == "row") |
		"\(.comm) \(.dso) \(.symbol) \(.samples) \(.origin)"' >found
	cat found
	[ "$(cat found)" = "foreign foreign second 5 symtab
foreign foreign first 3 symtab" ]
}

@test "a recording of an s390x has the functions of its programs, which have that byte order" {
	foreign s390x 64
}

@test "one of a 32-bit ppc, of that byte order and word size, too" {
	foreign ppc 32
}

@test "records of a patched kernel are read as what they are, in the other byte order, too" {
	local id=0102030405060708090a0b0c0d0e0f1011121314

	"${tools:?}/foreign" --native s390x data program
	[ "$("$perfstamp" list data)" = "$id /opt/foreign
$id [burn]" ]
	run -0 "$perfstamp" dump data
	[[ $output == *$'\nMMAP3 '*" build_id=$id source=\"stash\" dev_major=94 dev_minor=1 ino=4711 ino_generation=7 path=\"/opt/foreign\""* ]]
	[[ $output == *$'\nMODULE '*" module=\"burn\" event=\"load\" addr=0x3ff80000000 len=0x2000 build_id=$id"* ]]
	run -0 "$perfstamp" check data
	grep -x '  user, identified  *8 (100.0 %)' <<<"$output"
	"$perfstamp" cache add --buildid-dir kept program
	report --buildid-dir kept --json -s dso,sym data | jq -r 'select(.type == "row") |
		"\(.dso) \(.symbol) \(.samples)"' >found
	cat found
	[ "$(cat found)" = "foreign second 5
foreign first 3" ]
	# A copy that every perf reads is without them.
	run "$perfstamp" check --repair clean data
	[[ $output == *'records that some versions of perf refuse: MMAP3: 1'* ]]
	run -0 "$perfstamp" dump clean
	[[ $output == *SAMPLE* && $output != *MMAP3* && $output != *MODULE* ]]
}

@test "names of C++ are demangled, and lines are told where there is debug information" {
	cat >work.cc <<-'END'
		namespace deep {
		template <class T> struct box {
			__attribute__((noinline)) void churn(T n)
			{
				for (T i = 0; i < n; i++) asm volatile("");
			}
		};
		}
		int main() { deep::box<unsigned long>().churn(400000000); }
	END
	g++ -O1 -g -o work work.cc
	record -q -F 1999 -o data -- ./work
	report --json -s sym,srcline data | jq -r 'select(.symbol // "" | startswith("deep")) |
		"\(.symbol) \(.srcline)"' >found
	cat found
	grep -xE 'deep::box<unsigned long>::churn\(unsigned long\) work.cc:[345]' found
	report --no-demangle data | grep '_ZN4deep3boxImE5churnEm'
}

@test "a program of 32 bits has its functions, too" {
	gcc -m32 -std=gnu11 -D_GNU_SOURCE -O1 -g -fno-toplevel-reorder -Wl,--build-id -DBUILD=1 \
		-o small "${root:?}/tests/tools/swapped.c"
	record -q -F 1999 -o data -- ./small 200
	functions data | grep "^$(build_id small) in_build_1 "
}

@test "call chains: callers count what they called, and folded they are what perf tells" {
	cat >work.c <<-'END'
		#define KEEP __attribute__((noinline, noclone))
		KEEP void leaf(unsigned long n) { while (n--) asm volatile(""); }
		KEEP void middle(unsigned long n) { leaf(n); asm volatile(""); }
		KEEP void outer(unsigned long n) { middle(n); asm volatile(""); }
		int main(void) { outer(100000000); leaf(50000000); asm volatile(""); return 0; }
	END
	gcc -O0 -o work work.c
	"$perfstamp" record -q -e cpu-clock:u -g -F 1999 -o data -- ./work
	report --folded data >folded
	cat folded
	grep -E '^work;.*;main;outer;middle;leaf [0-9]+$' folded
	grep -E '^work;.*;main;leaf [0-9]+$' folded
	# As many as perf says of the same chains.
	perf 6.12 script -F ip,sym -i data 2>script.stderr | awk '
		NF == 2 { chain = (chain == "" ? $2 : $2 ";" chain) }
		!NF && chain != "" { n[chain]++; chain = "" }
		END { if (chain != "") n[chain]++; for (c in n) print c, n[c] }' |
		grep ';leaf ' | LC_ALL=C sort >perf.says
	sed -n 's/^work;//p' folded | grep ';leaf ' | LC_ALL=C sort >we.say
	diff perf.says we.say
	report --json -s sym data | jq -r 'select(.symbol == "main" or .symbol == "leaf") |
		"\(.symbol) \(.children_samples) \(.samples)"' >found
	cat found
	leaf=$(awk '$1 == "leaf" { print $2 }' found)
	[ "$(awk '$1 == "leaf" { print $3 }' found)" -eq "$leaf" ]
	[ "$(awk '$1 == "main" { print $2 }' found)" -ge "$leaf" ]
	# Without them a caller that did nothing itself is no row.
	report --no-children --json -s sym data | jq -r .symbol >alone
	run ! grep -x outer alone
}

# What a report says, for comparing: without headings, and without what columns add.
bare() {
	sed -E '/^#/d; /^ *$/d; s/ +$//; s/0x[0-9a-f]+( \(.*\))?$/0x/; s/^ +([0-9.]+%)/\1/' |
		awk '/^[0-9]/ { $1 = $1 } { print }'
}

@test "call graphs are those that stock perf draws" {
	# No library, whose names could be others, and shares that differ by more than chance.
	cat >work.c <<-'END'
		#define KEEP __attribute__((noinline, noclone))
		static volatile unsigned long sink;
		KEEP void leaf(unsigned long n) { while (n--) asm volatile(""); sink++; }
		KEEP void middle(unsigned long n) { leaf(n); sink++; }
		KEEP void outer(unsigned long n) { middle(n); leaf(n / 2); sink++; }
		KEEP void again(unsigned int depth, unsigned long n)
		{
			if (depth) again(depth - 1, n); else leaf(n);
			sink++;
		}
		KEEP void begin(void) { outer(50000000); again(3, 13000000); leaf(160000000); sink++; }
		__attribute__((force_align_arg_pointer)) void _start(void)
		{
			begin();
			asm volatile("syscall" : : "a"(231), "D"(0));
			__builtin_unreachable();
		}
	END
	gcc -std=gnu11 -O0 -nostdlib -static -Wl,--build-id -o work work.c
	"$perfstamp" record -q -e cpu-clock:u -g -F 1999 -o data -- ./work
	for options in '--children -g caller,3' '--no-children -g callee,3' '--no-children -g caller,3'; do
		# shellcheck disable=SC2086 # several words
		perf 6.12 report --stdio --percent-limit 3 $options -i data 2>stderr | bare >perf.says
		# shellcheck disable=SC2086 # several words
		report -v --no-pager --percent-limit 3 $options data | bare >we.say
		diff perf.says we.say
		grep -- '--begin$\|---leaf$\|--leaf$' we.say
	done
	# The defaults, and none at all.
	report --no-pager data >graphs
	report --no-pager -g caller data | diff - graphs
	report --no-pager --no-children data >graphs
	report --no-pager --no-children -g callee data | diff - graphs
	report --no-pager -g none data >rows
	run ! grep -e '--' rows
	# As JSON each sample is in one chain.
	report --json data >json
	jq -s 'map(select(.type == "chain")) | map(.samples) | add' json >in.chains
	jq -s 'map(select(.type == "row")) | map(.samples) | add' json | diff - in.chains
	jq -s -e 'map(select(.type == "chain") | .frames | map(.symbol)) |
		any(.[:5] == ["leaf", "again", "again", "again", "again"])' json
	report --json -g none data >json
	run ! grep '"chain"' json
	# Who asks for graphs of what has no chains is told.
	run report -g caller "$files/replaced.data"
	[ "$status" -eq 1 ]
	[[ $output == *"no call chains"*"record -g"* ]]
}

@test "inlined functions are frames, those that addr2line tells" {
	cat >work.c <<-'END'
		#define INLINE static inline __attribute__((always_inline))
		#define KEEP __attribute__((noinline, noclone))
		static volatile unsigned long sink;
		INLINE void innermost(unsigned long n) { while (n--) asm volatile(""); }
		INLINE void inner(unsigned long n) { innermost(n); sink++; }
		KEEP void leaf(void) { sink++; }
		KEEP void work(unsigned long n) { leaf(); inner(n); sink++; innermost(n / 4); leaf(); }
		INLINE void wrapper(unsigned long n) { work(n); sink++; }
		int main(void) { wrapper(300000000); sink++; return 0; }
	END
	# Without a moving base, so that sampled addresses are those in the file.
	gcc -std=gnu11 -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -no-pie \
		-Wl,--build-id -o work work.c
	"$perfstamp" record -q -e cpu-clock:u -g -F 1999 -o data -- ./work
	report --folded data >folded
	cat folded
	grep -E ';main;wrapper \(inlined\);work;inner \(inlined\);innermost \(inlined\) [0-9]+$' folded
	grep -E ';main;wrapper \(inlined\);work;innermost \(inlined\) [0-9]+$' folded
	# Of each sample in the function, what it is in.
	"$perfstamp" dump --json data | jq -r 'select(.type == "SAMPLE") | .ip' |
		while read -r ip; do
			printf '0x%x\n' "$ip"
		done | addr2line -a -i -f -e work | awk '
			/^0x/ { if (chain != "") n[chain]++; chain = ""; wants = 1; next }
			wants { chain = $0 (chain == "" ? "" : " (inlined);" chain) }
			{ wants = !wants }
			END { n[chain]++; for (c in n) if (c ~ /^work/) print c (c ~ /;/ ? " (inlined)" : ""), n[c] }' |
		sed 's/^work (inlined);/work;/' | LC_ALL=C sort >addr2line.says
	sed -n 's/.*;\(work[; ].*\)/\1/p' folded | grep -v 'leaf' | LC_ALL=C sort >we.say
	diff addr2line.says we.say
	# A row of its own, in which no sample itself is; and in graphs and JSON.
	report --no-pager data >text
	grep -E ' 0\.00%  work .*\[\.\] innermost \(inlined\)$' text
	grep -E -- '--inner \(inlined\)$' text
	report --json data >json
	jq -s -e 'map(select(.type == "row" and .symbol == "innermost")) |
		length == 1 and .[0].inlined and .[0].samples == 0 and .[0].children_samples > 0' json
	jq -s -e 'map(select(.type == "chain") | .frames[:3] | map([.symbol, .inlined])) |
		any(. == [["innermost", true], ["inner", true], ["work", null]])' json
	for format in --json --folded --no-pager; do
		report --no-inline "$format" data >alone
		run ! grep inlined alone
	done
}

# damage SEED FILE: other bytes at some places behind the headers and the build-id.
damage() {
	local size at byte

	size=$(stat -c %s "$2")
	while read -r at byte; do
		printf '%b' "\\x$byte" | dd of="$2" bs=1 seek="$at" conv=notrunc status=none
	done < <(awk -v seed="$1" -v size="$size" 'BEGIN {
		srand(seed)
		for (i = 0; i < 6; i++)
			# One of two in the section headers, which are at the end.
			printf "%d %02x\n", i % 2 ? size - 1 - int(rand() * 2000) :
				1024 + int(rand() * (size - 1024)), int(rand() * 256)
	}')
}

@test "damaged files of debug information crash nothing" {
	cp "$files/build-1" server
	record -q -e cpu-clock:u -g -F 1999 -o data -- ./server 100
	objcopy --only-keep-debug server whole
	STORE=$PWD/kept keep whole debug server
	kept=$(echo kept/.build-id/*/*/debug)
	functions --buildid-dir kept data | grep ' in_build_1 '
	rm server
	for ((n = 0; n < ${PERFSTAMP_MUTATIONS:-60}; n++)); do
		cp whole "$kept"
		damage "$n" "$kept"
		timeout 300 "$perfstamp" report --no-debuginfod --buildid-dir kept --json \
			-s dso,sym,srcline data >json || {
			echo "damage $n: status $?"
			return 1
		}
		grep -q '"type":"row","event":"cpu-clock:u","dso":"server"' json
	done
}

@test "what is not here is asked of a debuginfod, and only of the same identity used" {
	cp "$files/build-1" server
	id=$(build_id server)
	mkdir served home
	objcopy --only-keep-debug server served/server.debug
	record -q -F 1999 -o data -- ./server 200
	rm server
	debuginfod__start served debuginfo "$id"
	# shellcheck disable=SC2154 # port is set by that
	asked() {
		HOME=$PWD/home DEBUGINFOD_URLS=http://127.0.0.1:$port "$perfstamp" report \
			--json -s dso,sym "$@" | jq -r 'select(.dso == "server" and .type == "row") |
			"\(.symbol) \(.origin)"'
	}
	asked --no-debuginfod data >alone
	run ! grep in_build alone
	asked data >found
	cat found
	grep -x 'in_build_1 debug-file' found
	# What the cache has does not count because it is there.
	objcopy --only-keep-debug "$files/build-2" other
	cp other "home/.cache/debuginfod_client/$id/debuginfo"
	asked data >wrong 2>said
	run ! grep in_build wrong
	grep 'another identity' said
	# A server that is not there costs names, and nothing else.
	recording__end
	rm -rf home
	mkdir home
	asked data >nothing 2>said
	run ! grep in_build nothing
	grep -q debuginfod said
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
	report none | grep '/build-2: the recording has no identity for it'
	functions --force none 2>said | grep ' in_build_2 '
	grep 'without an identity were resolved with the files currently at their paths' said
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
	for wrong in '--sort=nonsense' '--percent-limit=x' '--time=5' '--time=5,4' '--json --folded' --percentage=x \
		'-g nonsense' '-g caller,,' '-g 101' '-g callee,1,x' '-g callee,1,2,3'; do
		# shellcheck disable=SC2086 # several words
		run report $wrong "$files/replaced.data"
		[ "$status" -eq 2 ]
	done
	run report "$files/build-1"
	[ "$status" -eq 1 ]
}
