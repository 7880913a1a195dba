#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The options of perf report in perfstamp report: the same samples, columns and numbers as
# stock perf on the same file, and for what is missing the reason.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup_file() {
	load ../lib/recording
	cd "$BATS_FILE_TMPDIR" || exit
	cat >busy.c <<-'END'
		volatile unsigned long x;
		__attribute__((noinline)) void leaf(int n) { for (int i = 0; i < n; i++) x ^= x << 3 | i; x++; }
		__attribute__((noinline)) void parse_one(void) { leaf(4000); for (int i = 0; i < 1000; i++) x += i; }
		__attribute__((noinline)) void write_one(void) { leaf(2000); for (int i = 0; i < 1000; i++) x -= i; }
		int main(void)
		{
			for (int i = 0; i < 30000; i++) { parse_one(); write_one(); }
			return 0;
		}
	END
	cc -O0 -g -fno-omit-frame-pointer -o busy busy.c
	cp busy other
	record -q -g -F 1999 --sample-cpu -o data -- sh -c './busy & ./other; wait'
}

setup() {
	load ../lib/recording
	data=$BATS_FILE_TMPDIR/data
	export HOME=$PWD # no perfconfig
}

report() {
	"$perfstamp" report --no-debuginfod --no-pager "$@"
}

stock() {
	perf 6.12 report --stdio -i "$data" "$@" 2>perf.stderr
}

# Rows of columns with | between them, of our programs, without the blanks that perf has, and
# the callers that it shows without their column.
rows() {
	sed '/^#/d; /^$/d; s/ *| */|/g; s/^ *//; s/ *$//; /^0.00%|0|/d' | grep -E 'busy|other' |
		LC_ALL=C sort
}

# alike OPTION...: both show the same rows.
alike() {
	stock -t '|' -g none "$@" | rows >perf.rows
	report -t '|' -g none "$@" "$data" | rows >our.rows
	diff perf.rows our.rows || { echo "differ: $*"; return 1; }
	[ -s our.rows ] || { echo "no rows: $*"; return 1; }
}

@test "columns, periods, orders and separators are those of stock perf" {
	alike --no-children -n -s comm,dso,sym
	alike --no-children --show-total-period -n -s dso,sym
	alike --children -n -s dso,sym --percent-limit 1
	alike -F overhead,sample,period,comm,dso,sym
	alike -F overhead_children,overhead,dso,sym --percent-limit 1
	# Keys that are not among the columns follow these.
	alike -F overhead -s dso
	alike --no-children -F dso -s overhead,dso,sym
	alike --no-children -s comm,srcfile -d busy,other
	alike --no-children -s comm,time
	alike --no-children -s comm,time --ns --time-quantum 500ms
	# The order of the rows, too.
	for options in '-F sample,comm,sym' '-F comm,sample,sym' '--no-children -s comm,overhead,dso' \
		'-F overhead -s sym,dso' '-F overhead,comm -s dso,comm' '-F dso,sample -s period,sym'; do
		# shellcheck disable=SC2086 # several words
		stock -t '|' -g none --no-children $options --percent-limit 1 |
			sed '/^#/d; /^$/d; s/ *| */|/g; s/^ *//; s/ *$//' | grep -E 'busy|other' >perf.rows
		# shellcheck disable=SC2086
		report -q -t '|' -g none $options --percent-limit 1 "$data" | grep -E 'busy|other' >our.rows
		diff perf.rows our.rows
	done
}

@test "each option that selects samples selects those that stock perf does" {
	pid=$(report -t, -q -F pid,overhead -c busy "$data" | sed -n '1s/,.*//p')
	for options in --pid="$pid" --tid="$pid" '-C 0' '-C 0-1' -U '--symbol-filter=parse' '--symbol-filter=one -U' \
		'--time 0%-10%' '--time 50%-100%' '--time 20%/2' '--time 0%-10%,90%-100%' -m; do
		# shellcheck disable=SC2086 # several words
		alike --no-children -n -s comm,dso,sym $options
	done
	# perf leaves out the column that has one value alone. By pid it loses samples of a function that
	# another process was in before, as the shell is in what its child is in until it executes: not of
	# one command.
	for options in '-c busy' '-d other' '-S leaf' '-S leaf --percentage relative' \
		"-c busy --pid=$pid --percentage relative"; do
		# shellcheck disable=SC2086
		stock -t '|' -g none --no-children -n -s comm,dso,sym $options |
			sed -n 's/ *| */|/g; s/^ *\([0-9.]*%|[0-9]*\)|.*/\1/p' | sort >perf.rows
		# shellcheck disable=SC2086
		report -t '|' -g none --no-children -n -s comm,dso,sym $options "$data" |
			sed -n 's/^\([0-9.]*%|[0-9]*\)|.*/\1/p' | sort | diff perf.rows -
		[ -s perf.rows ]
	done
	run report --pid 4294967295 "$data"
	[[ $output == *"no samples match the options that select samples"* ]]
	for options in '--comm nosuch' '--pid 4294967295' '-C 1023'; do
		# shellcheck disable=SC2086
		run -0 report -g caller $options "$data"
		[[ $output == *"no samples match the options that select samples"* ]]
	done
}

@test "parents, ignored callees and depths of stacks are those of stock perf" {
	alike --no-children -n -s parent,dso,sym -d busy,other -p parse
	alike --no-children -n -s dso,sym,parent -d busy,other -p 'write|parse'
	# Rows with a parent alone.
	report -q -t '|' --no-children -g none -s parent,dso,sym -p parse -x "$data" >with
	grep -q '|parse_one|busy|\[\.\] leaf' with
	run ! grep -F '[other]' with
	# What parse_one calls counts as its own, and leaf keeps what write_one calls.
	report -q -t '|' -n --no-children -g none -s dso,sym -d busy "$data" >all
	report -q -t '|' -n --no-children -g none -s dso,sym -d busy --ignore-callees parse "$data" >ignored
	samples() { awk -F'|' -v of="$2" '$4 ~ of { n += $2 } END { print n + 0 }' "$1"; }
	[ "$(samples ignored parse_one)" -gt "$(samples all parse_one)" ]
	[ "$(samples ignored leaf)" -gt 0 ]
	[ "$(samples ignored .)" -ge "$(samples all .)" ]
	report -q --no-children -g callee --max-stack 2 -s sym -S leaf "$data" >two
	grep -q parse_one two
	run ! grep main two
}

# samples_of FUNCTION OPTION...: those of its rows, and those of its annotations.
samples_of() {
	report --json --no-children -g none -s dso,sym "${@:2}" "$data" |
		jq -s "map(select(.type == \"row\" and .symbol == \"$1\").samples) | add"
	report --json --annotate "$1" "${@:2}" "$data" | jq -s 'map(select(.type == "annotation").samples) | add'
}

@test "an annotation has the samples of the function's rows" {
	# Neither all samples of leaf, nor none.
	for options in '' '-x -p ^parse_one$' '--ignore-callees ^parse_one$'; do
		# shellcheck disable=SC2086 # several words
		samples_of leaf $options | tee samples
		[ "$(uniq samples | wc -l)" -eq 1 ]
		uniq samples >>all
	done
	[ "$(sort -u all | wc -l)" -eq 3 ]
	# What parse_one calls is at its calls.
	samples_of parse_one --ignore-callees '^parse_one$' | tee samples
	[ "$(uniq samples | wc -l)" -eq 1 ]
	report --annotate parse_one --ignore-callees '^parse_one$' -d busy "$data" >text
	awk '/ : .*call.*leaf/ && $1 > 10 { found = 1 } END { exit !found }' text
}

@test "graphs: perf's own default, -g alone, and -G" {
	for options in '-g graph,0.5,caller,function,percent' '-g -s comm,dso,sym' -G; do
		# shellcheck disable=SC2086
		report $options "$data" >shown
		diff <(report -g caller "$data") shown
	done
	diff <(report --no-children -g callee "$data") <(report --no-children "$data" -g)
	run report -g fractal "$data"
	[ "$status" -eq 2 ]
}

@test "latency and parallelism are those of stock perf" {
	cat >threads.c <<-'END'
		#include <pthread.h>
		volatile unsigned long x;
		__attribute__((noinline)) void leaf(int n) { for (int i = 0; i < n; i++) x ^= x << 3 | i; x++; }
		__attribute__((noinline)) void *turns(void *n) { for (long i = 0; i < (long)n; i++) leaf(9000); return 0; }
		__attribute__((noinline)) void alone(void) { for (int i = 0; i < 5000; i++) leaf(9000); }
		int main(void)
		{
			pthread_t t[3];
			for (long i = 0; i < 3; i++) pthread_create(t + i, 0, turns, (void *)4000);
			for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
			alone();
			return 0;
		}
	END
	cc -O0 -fno-omit-frame-pointer -static -pthread -o busy threads.c
	newest() { perf newest report --stdio "$@" 2>/dev/null; }
	record -q --latency -F 999 -g -o ours.data -- ./busy
	perf newest record -q --latency -e cpu-clock:u -F 999 -g -o perfs.data -- ./busy
	for file in ours.data perfs.data; do
		for options in '--no-children -s parallelism' '--no-children -n -s comm,dso,sym' '--children -n -s dso,sym' \
			'--no-children --latency -s comm,dso,sym' '--children --latency -n -s dso,sym' \
			'--no-children -s parallelism,sym --parallelism 1' '--latency --no-children --parallelism 2-8 -s dso,sym' \
			'--latency --no-children --parallelism 1 --percentage relative -s dso,sym' \
			'--no-children -F latency,overhead,parallelism,sym' '-F latency_children,sym' '--no-children -s overhead,dso,sym'; do
			# Functions of the program, and levels of parallelism.
			words='s/ *| */|/g; s/^ *//; s/ *$//; /^#/d; /^[0-9.|%]*$/p; /\[\.\] \(leaf\|turns\|alone\|main\)$/p'
			# shellcheck disable=SC2086 # several words
			newest -i "$file" -t '|' -g none $options | sed -n "$words" | LC_ALL=C sort | sed '/^$/d' >perf.rows
			# shellcheck disable=SC2086
			report -q -t '|' -g none $options "$file" | sed -n "$words" | LC_ALL=C sort | sed '/^$/d' >our.rows
			diff perf.rows our.rows || { echo "differ: $file $options"; false; }
			case $options in *2-8*) ;; *) [ -s our.rows ] ;; esac
		done
		newest -i "$file" -g none --no-children -H --latency -s comm,sym |
			sed '/^#/d; s/^ *//; s/  */ /g; s/ *$//; /^$/d' | sort >perf.rows
		report -q -H --latency -s comm,sym "$file" | sed 's/^ *//; s/  */ /g; /^$/d' | sort | diff perf.rows -
	done
	run report --latency "$data"
	[ "$status" -eq 1 ]
	[[ $output == *"it has no context switches; \`perfstamp record --latency' records them" ]]
	# Annotations have the samples of the rows.
	for options in '--parallelism 1' '--parallelism 2-8' ''; do
		# shellcheck disable=SC2086 # several words
		report --json --no-children -s sym $options ours.data |
			jq -s 'map(select(.type == "row" and .symbol == "leaf").samples) | add' >rows
		# shellcheck disable=SC2086
		report --json --annotate leaf $options ours.data | jq -s 'map(.samples // 0) | add' >annotated || true
		diff rows annotated
	done
	report --json --latency -s sym ours.data | jq -es 'map(select(.type == "row")) |
		(map(.latency) | add) <= .[0].total_latency and .[0].latency >= .[1].latency' >/dev/null
}

# Each row with its graph in one line, so that rows of equal shares may be in any order.
graphs() {
	sed '/^#/d; s/ *$//; s/^ *//; s/%  */% /g; s/^\(\([0-9.]*% \)*[0-9]*\):[a-z]*/\1/; s/  *\[\.\]/ [.]/' |
		awk '/^[0-9]/ { if (row) print row; row = "" } !/^\|*$/ { row = row "\\" $0 } END { print row }' | sort
}

@test "rows of threads, and the graphs below them, are those of stock perf" {
	cat >threads.c <<-'END'
		#include <pthread.h>
		volatile unsigned long x;
		__attribute__((noinline)) void leaf(int n) { for (int i = 0; i < n; i++) x ^= x << 3 | i; x++; }
		__attribute__((noinline)) void deep(int n) { if (n) deep(n - 1); else leaf(3000); x++; }
		__attribute__((noinline)) void *turns(void *n)
		{
			for (long i = 0; i < (long)n; i++) { leaf(6000); deep(3); }
			return 0;
		}
		int main(void)
		{
			pthread_t t[3];
			for (long i = 0; i < 3; i++) pthread_create(t + i, 0, turns, (void *)(10000 << i));
			for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
			return 0;
		}
	END
	# Static: no library's names, which others may know otherwise.
	cc -O0 -fno-omit-frame-pointer -static -pthread -o threads threads.c
	"$perfstamp" record -q -e cpu-clock:u -g -F 1999 -o threads.data -- ./threads
	for options in '--no-children -g callee' '--no-children -g caller' '--children -g caller' '--children -g callee' \
		-G '--no-children -g none' '--children -g none' '--no-children -g caller,20'; do
		# Threads are perf's pid, with their names.
		# shellcheck disable=SC2086 # several words
		stock -i threads.data -s pid,sym --percent-limit 3 $options | graphs >perf.rows
		# shellcheck disable=SC2086
		report -q -s tid,sym --percent-limit 3 $options threads.data | graphs >our.rows
		diff perf.rows our.rows || { echo "differ: $options"; false; }
		[ "$(cut -d ' ' -f 2 our.rows | sort -u | wc -l)" -ge 3 ]
	done
	[ "$(stock -i threads.data -s pid -g none --no-children | graphs)" = "$(report -q -s tid -g none --no-children threads.data | graphs)" ]
}

@test "--hierarchy has the levels and sums of stock perf" {
	stock -g none --hierarchy -s comm,dso,sym --percent-limit 2 | grep -v '^#' |
		sed 's/^ *//; s/  */ /g; s/ *$//; /^$/d' >perf.rows
	report -q -H -s comm,dso,sym --percent-limit 2 "$data" | sed 's/^ *//; s/  */ /g; /^$/d' >our.rows
	diff perf.rows our.rows
	grep -q '^[0-9.]*% busy' our.rows
}

@test "--stats, --tasks, --mmaps and the header are those of stock perf" {
	diff <(stock --stats | sed 's/^ *//') <(report --stats "$data" | sed 's/^ *//')
	diff <(stock --tasks | sed 's/| */|/') <(report --tasks "$data" | sed 's/| */|/')
	# What a process has mapped: perf keeps what was there before an exec, too.
	report --mmaps "$data" | sed -n 's/^  *\([0-9a-f]*-[0-9a-f]*\) .* \(\/.*\)/\1 \2/p' | sort -u >ours
	stock --mmaps | sed -n 's/^  *\([0-9a-f]*-[0-9a-f]*\) .* \(\/.*\)/\1 \2/p' | sort -u >perfs
	[ "$(grep -c '/busy$' ours)" -ge 1 ]
	[ -z "$(comm -23 ours perfs)" ]
	header='^# (hostname|os release|perf version|arch|nrcpus online|nrcpus avail|cpudesc|cpuid|total memory|time of (first|last) sample|sample duration|captured on  |data (offset|size)  ) '
	for options in --header-only '--header-only -I'; do
		# shellcheck disable=SC2086 # several words
		report $options "$data" | grep -E "$header" | sort >ours
		[ "$(wc -l <ours)" -ge 13 ]
		# shellcheck disable=SC2086
		stock $options | grep -E "$header" | sort | diff - ours
	done
	[ "$(report -I --header-only "$data" | wc -l)" -gt "$(report --header-only "$data" | wc -l)" ]
	report --header-only "$data" | grep '^# cmdline : .*record .* -F 1999 '
	report --header-only "$data" | grep '^# event : name = cpu-clock, , id = { [0-9, ]* }, type = 1,'
	# Text only.
	for options in --header --header-only -I --stats --tasks --mmaps; do
		for format in --json --folded '--annotate leaf'; do
			# shellcheck disable=SC2086 # several words
			run -2 report $options $format "$data"
			[[ $output == *"--mmaps cannot be combined with --folded, --json or --annotate"* ]]
		done
	done
	# With the table only where it is asked for.
	report --header "$data" | grep '^# hostname : '
	run ! grep '^# hostname' <(report "$data")
	# From a pipe, which says what it is among its records.
	"$perfstamp" record -q -e cpu-clock -o - -- true | report --header-only -i - | grep '^# hostname : '
}

@test "-q shows rows alone, -w fixed columns" {
	report -q -s comm,dso "$data" >quiet 2>&1
	run ! grep '^#' quiet
	grep -q '  busy ' quiet
	report -q --no-children -g none -w 0,3,5 -s comm,dso "$data" >narrow
	grep -q '%  bus  busy$' narrow
	run report -w x "$data"
	[ "$status" -eq 2 ]
}

@test "perfconfig sets what it sets for perf report" {
	cat >.perfconfig <<-'END'
		[report]
			percent-limit = 3
			children = false
			sort_order = dso,sym
		[call-graph]
			order = caller
			threshold = 10
	END
	diff <(report "$data") <(PERF_CONFIG=/dev/null report --percent-limit 3 --no-children -s dso,sym -g caller,10 "$data")
	# An option overrides it.
	diff <(report -s comm --children --percent-limit 0 -g callee,1 "$data") \
		<(PERF_CONFIG=/dev/null report -s comm --children --percent-limit 0 -g callee,1 "$data")
	printf '[report]\n\tpercent-limit = many\n' >.perfconfig
	run report "$data"
	[ "$status" -eq 1 ]
	[[ $output == *".perfconfig:2: report.percent-limit is 'many'; it may be a percentage"* ]]
}

@test "--symfs, --kallsyms and --vmlinux are where files come from" {
	mkdir -p root"$BATS_FILE_TMPDIR"
	mv "$BATS_FILE_TMPDIR/busy" "root$BATS_FILE_TMPDIR/"
	run ! grep 'leaf' <(report -q -d busy -s sym "$data")
	report -q -d busy -s sym --symfs root "$data" | grep '\] leaf'
	# Another content at that place is not it.
	mv "root$BATS_FILE_TMPDIR/busy" busy.kept
	cp busy.kept "root$BATS_FILE_TMPDIR/busy"
	echo >>"root$BATS_FILE_TMPDIR/busy"
	run ! grep '\] leaf' <(report -q -d busy -s sym --symfs root "$data")
	mv busy.kept "$BATS_FILE_TMPDIR/busy"
	# Names from the file that was given, in which the addresses still count from _text.
	sed 's/ \([tT]\) \([a-z]\)/ \1 renamed_\2/' /proc/kallsyms >kallsyms
	report -q -s dso,sym --kallsyms kallsyms "$data" | grep '\[k\] renamed_'
	# A path that leads nowhere is an error, as in perf.
	for option in symfs kallsyms vmlinux; do
		run -1 report "--$option" nowhere "$data"
		[ "$output" = "perfstamp report: nowhere: No such file or directory" ]
	done
	# A vmlinux of another kernel is not taken.
	run report -q -s dso,sym --vmlinux "$BATS_FILE_TMPDIR/busy" "$data"
	[ "$status" -eq 0 ]
	run ! grep '\[k\] leaf' <<<"$output"
}

@test "what perf report has beyond it is refused with a reason and a way" {
	for option in --raw-trace -b --gtk --branch-history --total-cycles --mem-mode --itrace; do
		run report "$option" "$data"
		[ "$status" -eq 2 ]
		[[ ${lines[0]} =~ ^"perfstamp report: --"[a-z-]*" of perf is not supported: ".{20} ]]
	done
	run report -s weight "$data"
	[[ $output == *"key \`weight' of perf is not supported: stock perf report reads the same"* ]]
	# None of them is shown as one of ours.
	report --help >help
	run ! grep -e '--branch-history\|--itrace' help
	diff <(report --stdio "$data") <(report "$data")
}

# Each version's perf, and the one that is installed.
helps_of_perf() {
	local version

	# Help ends with a status of its own.
	for version in 6.1 6.12 newest; do perf "$version" report -h 2>&1 || true; done
	command perf report -h 2>&1 || true
}

# What is between two lines of the section of the man page about options of perf.
manual() {
	sed -n '/^\.Sh OPTIONS OF PERF/,/^\.Sh [^O]/p' "$BATS_TEST_DIRNAME/../../docs/man/perfstamp-report.1" |
		sed -n "/$1/,/$2/p" | grep "$3" | grep -o -e '-[a-z0-9]*[-a-z0-9]*' | sed 's/^-//'
}

@test "the manual has each option of perf once: with its meaning, with differences, or refused" {
	helps_of_perf | sed -n 's/^ *\(-\([a-zA-Z]\), \)\?--\([a-z][a-z0-9-]*\)\([=[ ].*\)\?$/\3 \2/p' |
		sort -u >known.to.perf
	[ "$(wc -l <known.to.perf)" -gt 80 ]
	manual 'have its meaning here' 'These are similar' '^\.Fl -' >same
	manual 'These are similar' 'These are refused' '^\.It Fl' >near
	manual 'These are refused' '^\.Sh' '^\.Fl -' >refused
	wc -l same near refused
	sort same near refused | uniq -d >twice
	[ ! -s twice ] || { cat twice && false; }
	# What all perfs have, and older ones alone, too.
	cut -d ' ' -f 1 known.to.perf | sort -u | comm -23 - <(sort same near refused) >not.there
	[ ! -s not.there ] || { cat not.there && false; }
	while read -r name letter; do
		for option in "--$name" ${letter:+"-$letter"}; do
			run report "$option" -i nothing </dev/null
			[[ $output != *"unrecognized option"* && $output != *"invalid option"* ]] ||
				{ echo "$option: $output"; false; }
			if grep -qx -- "$name" refused; then
				[[ $status -eq 2 && $output == *" of perf is not supported: "* ]] ||
					{ echo "$option is not refused: $output"; false; }
			else
				[[ $output != *" of perf is not supported"* ]] ||
					{ echo "$option is refused: $output"; false; }
			fi
		done
	done <known.to.perf
}

@test "a vmlinux of another kernel, or kallsyms without symbols, are not used silently" {
	report "$data" >plain
	grep -F '[kernel.kallsyms]' plain
	report -k "$data" "$data" 2>vmlinux.err | diff plain -
	[ "$(cat vmlinux.err)" = "perfstamp report: warning: $data: not used: it is not the vmlinux of the recorded kernel" ]
	report --kallsyms /etc/passwd "$data" 2>kallsyms.err | diff plain -
	[ "$(cat kallsyms.err)" = 'perfstamp report: warning: /etc/passwd: not used: it has no symbols of a kernel' ]
	report --kallsyms /proc/kallsyms "$data" 2>&1 | diff plain -
}

@test "each key of perf is one of ours, or refused with a reason" {
	helps_of_perf | sed -n '/^ *-s, --sort/,/^ *-S, /p' | sed '/^ *-[sS], /d; s/sort by key(s)://' |
		grep -o '\<[a-z][a-z0-9_]*' | sort -u >keys
	[ "$(wc -l <keys)" -gt 60 ]
	for option in --sort --fields; do
		while read -r key; do
			run report "$option" "$key" -i nothing </dev/null
			[[ $output == *"nothing: cannot open: "* || $output == *"key \`$key' of perf is not supported: "* ]] ||
				{ echo "$option $key: $output"; false; }
		done <keys
	done
}
