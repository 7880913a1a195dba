#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Reports on several events: those of a group side by side, and samples between two events. Rows,
# numbers and order are those of stock perf on the same file.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup_file() {
	load ../lib/recording
	cd "$BATS_FILE_TMPDIR" || exit
	cat >phases.c <<-'END'
		#include <sys/mman.h>
		volatile unsigned long x;
		__attribute__((noinline)) void compute(int n) { for (int i = 0; i < n; i++) x ^= x << 3 | i; }
		__attribute__((noinline)) void touch(int pages)
		{
			char *at = mmap(0, pages * 4096L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

			madvise(at, pages * 4096L, MADV_NOHUGEPAGE);
			for (int i = 0; i < pages; i++)
				at[i * 4096L] = 1;
			munmap(at, pages * 4096L);
		}
		int main(void)
		{
			for (int i = 0; i < 20; i++) {
				compute(6000000);
				touch(30);
			}
			return 0;
		}
	END
	cc -O0 -g -fno-omit-frame-pointer -o phases phases.c
	"$perfstamp" record -q -g -F 1999 -e '{cpu-clock:u,page-faults/period=1/u}' -o grouped -- ./phases
	"$perfstamp" record -q -F 1999 -e 'mine:{cpu-clock:u,page-faults/period=1/u},{task-clock:u,cpu-clock:u},minor-faults:u' \
		-o groups -- ./phases
	"$perfstamp" record -q -F 1999 -e 'cpu-clock:u,page-faults/period=1,name=fault/u' -o single -- ./phases
	"$perfstamp" record -q -g -F 1999 -e '{cpu-clock:u,page-faults:u}:S' -o counted -- ./phases
	cat >threads.c <<-'END'
		#include <pthread.h>
		#define main phases
		#include "phases.c"
		#undef main
		static void *run(void *arg) { phases(); return arg; }
		int main(void)
		{
			pthread_t threads[3];

			for (int i = 0; i < 3; i++)
				pthread_create(&threads[i], 0, run, 0);
			for (int i = 0; i < 3; i++)
				pthread_join(threads[i], 0);
			return 0;
		}
	END
	cc -O0 -g -fno-omit-frame-pointer -pthread -o threads threads.c
	perf newest record -q -F 1999 -e '{cpu-clock:u,page-faults:u}:S' -o inherited -- ./threads
}

setup() {
	load ../lib/recording
	cd "$BATS_TEST_TMPDIR" || return
	in=$BATS_FILE_TMPDIR
	export HOME=$PWD # no perfconfig
}

report() {
	"$perfstamp" report --no-debuginfod --no-pager "$@"
}

# Rows of columns with | between them, without the blanks that perf has.
rows() {
	sed '/^#/d; /^$/d; s/ *| */|/g; s/^ *//; s/ *$//' | grep -E 'phases|threads|compute|touch'
}

# alike FILE OPTION...: both show the same rows; perf of $version, by default 6.12.
alike() {
	local file=$1 version=${version-6.12}
	shift
	perf "$version" report --stdio -i "$file" -t '|' -g none "$@" 2>perf.stderr | rows >perf.rows
	report -t '|' -g none "$@" "$file" | rows >our.rows
	# What has the same numbers has no order.
	diff <(LC_ALL=C sort perf.rows) <(LC_ALL=C sort our.rows) || { echo "differ: $*"; return 1; }
	[ -s our.rows ] || { echo "no rows: $*"; return 1; }
}

@test "events of a group are columns side by side, as in stock perf" {
	alike "$in/grouped" --no-children -n -s dso,sym
	grep -qE '^[0-9.]+% 0\.00%\|[1-9][0-9]* 0\|phases\|\[\.\] compute' our.rows
	grep -qE '^[0-9.]+% 9[0-9]\.[0-9]+%\|[0-9]* [1-9][0-9]*\|phases\|\[\.\] touch' our.rows
	alike "$in/grouped" --no-children -n --show-total-period -s comm,dso,sym
	alike "$in/grouped" --children -n -s dso,sym --percent-limit 1
	alike "$in/grouped" -F overhead,period,sample,dso
	# Each group has a table, and so has what is in none; a group of a name has it in the heading.
	alike "$in/groups" -n -s dso,sym
	report -s dso "$in/groups" >text
	grep -q "^# Samples: [0-9]* of events 'mine { cpu-clock:u, page-faults/period=1/u }'$" text
	grep -q "^# Samples: [0-9]* of events 'anon group { task-clock:u, cpu-clock:u }'$" text
	grep -q "^# Samples: [0-9]* of event 'minor-faults:u'$" text
	# What it counts together is what each has by itself.
	[ "$(sed -n "s/^# Event count (approx.): //p" text | head -n 1)" -eq \
		"$(report --no-group -s dso "$in/groups" | sed -n "s/^# Event count (approx.): //p" | head -n 2 | paste -sd+ | bc)" ]
}

@test "a sample with the counts of its group (:S) is a sample of each event that was counted" {
	local version

	alike "$in/counted" --no-children -n --show-total-period -s dso,sym
	grep -qE '^[0-9.]+% [1-9][0-9.]*%\|[1-9][0-9]* [1-9][0-9]*\|[1-9][0-9]* [1-9][0-9]*\|phases\|' our.rows
	alike "$in/counted" --no-group --no-children -n --show-total-period -s comm,dso,sym
	alike "$in/counted" --children -n --show-total-period -s sym
	# The counts of samples that are not shown count, too: what is shown is the difference to them.
	alike "$in/counted" --no-group --no-children -n --show-total-period -s dso --time 50%-100%
	diff <(perf 6.12 report --stats -i "$in/counted" | grep -A 1 ' stats:$' | grep -o '[0-9]*$') \
		<(report --stats "$in/counted" | grep -A 1 ' stats:$' | grep -o '[0-9]*$')
	# Each thread of an inherited event has counts of its own, and only later versions of perf know.
	version=newest
	alike "$in/inherited" --no-children -n --show-total-period -s dso,sym
	alike "$in/inherited" --no-group --no-children -n --show-total-period -s comm,sym
}

@test "the events of a group with counts (:S) are exported and compared" {
	local counted

	"$perfstamp" export --no-debuginfod --speedscope -e page-faults:u -o faults.json "$in/counted"
	counted=$(report --no-group -s dso "$in/counted" | sed -n 's/^# Event count (approx.): //p' | tail -n 1)
	[ "$counted" -gt 0 ]
	[ "$(jq '[.profiles[].weights[]] | add' faults.json)" -eq "$counted" ]
	"$perfstamp" diff --no-debuginfod -e page-faults:u --json "$in/counted" "$in/counted" >diff.json
	[ "$(jq 'select(.type == "comparison").after.period' diff.json)" = "$counted" ]
}

@test "--group has all events in one table, --no-group each in its own, and so has perfconfig" {
	alike "$in/single" --group -n -s dso,sym
	grep -qE '\[\.\] compute' our.rows
	[ "$(report --group -s dso "$in/single" | grep -c '^# Samples: ')" -eq 1 ]
	report --group -s dso "$in/single" | grep -q "^# Samples: [0-9]* of events 'cpu-clock:u, fault'$"
	alike "$in/grouped" --no-group --no-children -n -s dso,sym
	[ "$(report --no-group -s dso "$in/grouped" | grep -c '^# Samples: ')" -eq 2 ]
	printf '[report]\n\tgroup = false\n' >.perfconfig
	diff <(report -g none -s dso "$in/grouped") <(report -g none --no-group -s dso "$in/grouped")
	rm .perfconfig
	# As JSON each event has rows of its own.
	diff <(report --json -g none -s dso "$in/grouped") <(report --json -g none --no-group -s dso "$in/grouped")
}

@test "--group-sort-idx sorts by another event of the group, and levels are grouped, too" {
	alike "$in/grouped" --no-children -s sym --group-sort-idx 1
	[[ $(head -n 1 our.rows) == *"[.] touch" ]]
	report -g none --no-children -t '|' -s sym "$in/grouped" | rows >by.first
	[[ $(head -n 1 by.first) == *"[.] compute" ]]
	# One that the group does not have is the first.
	report -g none --no-children -t '|' -s sym --group-sort-idx 7 "$in/grouped" | rows | diff - by.first
	for option in '' '--group-sort-idx 1'; do
		# shellcheck disable=SC2086
		perf 6.12 report --stdio -i "$in/grouped" -g none --hierarchy -s dso,sym $option 2>perf.stderr | grep -v '^#' |
			sed 's/^ *//; s/  */ /g; s/ *$//; /^$/d' | grep -E 'phases|compute|touch' >perf.rows
		# shellcheck disable=SC2086
		report -q -H -s dso,sym $option "$in/grouped" | sed 's/^ *//; s/  */ /g; /^$/d' | grep -E 'phases|compute|touch' >our.rows
		diff perf.rows our.rows
		[ "$(wc -l <our.rows)" -ge 3 ]
	done
	run -2 --separate-stderr report --group-sort-idx -1 "$in/grouped"
}

@test "samples are those between the events of --switch-on and --switch-off" {
	local all

	all=$(report -s dso "$in/single" | grep '^# Samples')
	for options in '--switch-on fault' '--switch-on fault --switch-off cpu-clock:u' \
		'--switch-on cpu-clock:u --switch-off fault' \
		'--switch-on fault --switch-off cpu-clock:u --show-on-off-events' \
		'--switch-on cpu-clock:u --switch-off fault --show-on-off-events'; do
		# shellcheck disable=SC2086
		alike "$in/single" -n -F sample,dso,sym $options
		# shellcheck disable=SC2086
		[ "$(report -s dso $options "$in/single" | grep '^# Samples')" != "$all" ]
	done
	# Perf's documentation has it so, but perf itself goes on.
	report --ns -s time --time-quantum 1ns --switch-off fault --json "$in/single" | jq -s '[.[] | select(.type == "row")] | length' >before
	perf 6.12 script -i "$in/single" -F event 2>script.stderr | awk '$1 == "fault:" { print NR - 1; exit }' | diff - before
	for option in --switch-on --switch-off; do
		run -1 --separate-stderr report "$option" nothing "$in/single"
		[[ $stderr == *": it has no event \`nothing'; \`perfstamp dump -H' shows those that it has" ]]
	done
}
