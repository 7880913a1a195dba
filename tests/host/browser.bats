#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# report on a terminal: rows, call graphs, instructions, filters, searching, resizing, in a real
# terminal (tmux) that keys are typed into.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup_file() {
	load ../lib/recording
	cd "$BATS_FILE_TMPDIR" || exit
	cat >busy.c <<-'END'
		#include <sys/prctl.h>
		#define LOOP for (unsigned long i = 0; i < 60000000; i++) x ^= x << 3 | i
		volatile unsigned long x;
		__attribute__((noinline)) void churn(void) { LOOP; }
		__attribute__((noinline)) void grind(void) { LOOP; }
		int main(void)
		{
			grind();
			prctl(PR_SET_NAME, "\033[31mred");
			churn();
			return 0;
		}
	END
	cc -O0 -g -fno-omit-frame-pointer -Wl,--build-id -o busy busy.c
	record -q -g -F 1999 -o data -- ./busy
}

setup() {
	load ../lib/recording
	data=$BATS_FILE_TMPDIR/data
	export HOME=$BATS_FILE_TMPDIR
}

teardown() {
	tmux -S "$BATS_TEST_TMPDIR/tmux" kill-server 2>/dev/null || true
}

terminal() {
	tmux -S "$BATS_TEST_TMPDIR/tmux" "$@"
}

# browse OPTION...: report in a terminal of 100 columns and 30 lines; what it leaves is in the file
# left, behind its exit status.
browse() {
	terminal -f /dev/null new-session -d -x 100 -y 30 \
		"'$perfstamp' report --no-debuginfod $* '${file:-$data}' 2>err; echo \"status \$?\" >left; sleep 1000"
}

screen() {
	terminal capture-pane -p
}

# Waits until the screen has a line that matches, or none.
shows() {
	await shows__now "$1" || { screen && return 1; }
}

shows__now() {
	screen | grep -qE -- "$1"
}

hides() {
	await_not shows__now "$1" || { screen && return 1; }
}

type_keys() {
	terminal send-keys "$@"
}

@test "rows unfold into call graphs, and functions into instructions" {
	browse --no-children
	shows '^\+ .*[0-9]+\.[0-9]+% .* grind$'
	# Titles, keys, and the name of the file.
	shows '^  *Overhead  Command'
	shows 'data: [0-9]+ samples of event .cpu-clock., [0-9]+ rows'
	shows '^h help  q quit .*a annotate'
	# The two functions are the first rows. A name with escapes does nothing to the terminal.
	shows '\\(x1b|033|e)\[31mred|\?\[31mred'
	type_keys Home Enter
	shows '^- '
	shows '^ +---(main|grind|churn|_start|__libc_start)|--main'
	type_keys Enter
	hides '^- '
	type_keys a
	shows '^ Percent \|'
	shows '^ +[0-9]+\.[0-9]+ : +[0-9a-f]+: +(xor|or|mov|shl|add)'
	type_keys Escape
	shows 'Overhead  Command'
	# Without a call graph, Enter shows the instructions as well.
	type_keys E
	shows '^- .*churn'
	type_keys C
	hides '^- '
	type_keys q
	await test -s left
	[ "$(cat left)" = "status 0" ]
	[ ! -s err ]
}

@test "filters, searching, resizing, and the way back" {
	browse --no-children -s comm,dso,sym
	shows 'grind$'
	shows 'churn$'
	type_keys / churn Enter
	hides 'grind$'
	shows 'filter "churn"'
	shows 'churn$'
	type_keys Escape
	shows 'grind$'
	# Of a function's name, not of the DSO, which all rows have.
	type_keys / busy Enter
	shows ', 0 rows, filter "busy"'
	type_keys Escape
	shows 'grind$'
	# A search goes to the row; its instructions are that function's.
	type_keys f grind Enter a
	shows '^grind'
	type_keys Left
	shows 'Overhead'
	# The DSO of the selected row alone.
	type_keys d
	hides 'kernel'
	shows ', DSO busy'
	type_keys d
	# Smaller and larger, while it is shown; what is longer than a line is cut.
	terminal resize-window -x 30 -y 8
	shows '^ +Overhead'
	[ "$(screen | grep -c 'Overhead')" -eq 1 ]
	[ "$(screen | sed -n 3p | grep -c 'busy')" -eq 1 ]
	[ "$(screen | sed -n 4p | grep -cE '^[+ ] +[0-9]')" -eq 1 ]
	terminal resize-window -x 50 -y 8
	shows '^ +Overhead'
	[ "$(screen | wc -l)" -le 8 ]
	terminal resize-window -x 120 -y 40
	shows 'Tab event$'
	type_keys h
	shows 'unfold or fold the call graph'
	type_keys Escape
	type_keys i
	shows 'identified'
	type_keys q
	await test -s left
	[ "$(cat left)" = "status 0" ]
}

@test "rows without functions are filtered by what they show" {
	browse --no-children -s comm,dso
	shows ' busy$'
	shows ', [2-9][0-9]* rows$'
	type_keys / 'red ' Enter
	shows ', [1-9][0-9]* rows, filter "red "'
	hides '^ .*[0-9]% +busy '
	type_keys q
	await test -s left
	[ "$(cat left)" = "status 0" ]
}

@test "events of a group are one page, and Tab goes to the next event" {
	# In the title, which is cut where the terminal ends.
	file=groups
	"$perfstamp" record -q -F 499 -e '{cpu-clock:u,task-clock:u},page-faults' -o groups -- "$BATS_FILE_TMPDIR/busy"
	browse -s sym
	shows " samples of events 'anon group { cpu-clock:u, task-clock:u }', [1-9][0-9]* rows$"
	shows '^ +[0-9]+\.[0-9]+% +[0-9]+\.[0-9]+%  \[\.\] churn'
	type_keys Tab
	shows " samples of event 'page-faults', [1-9][0-9]* rows$"
	hides '% +[0-9.]+%  \['
	type_keys Tab
	shows " samples of events 'anon group "
	type_keys q
	await test -s left
	[ "$(cat left)" = "status 0" ]
}

@test "text where it is asked for, and where no one can browse" {
	export PAGER=cat
	"$perfstamp" report --no-debuginfod --stdio "$data" >text
	# Into a pipe or a file it is text anyway. Progress is written to stderr where it takes long.
	"$perfstamp" report --no-debuginfod "$data" | diff text -
	script -qec "'$perfstamp' report --no-debuginfod --stdio '$data' 2>said" /dev/null | tr -d '\r' | diff text -
	TERM=dumb script -qec "'$perfstamp' report --no-debuginfod '$data' 2>said" /dev/null | tr -d '\r' | diff text -
	# As perf: its configuration has a switch.
	printf '[tui]\n\treport = off\n' >config
	PERF_CONFIG=$PWD/config TERM=screen script -qec "'$perfstamp' report --no-debuginfod '$data' 2>said" /dev/null |
		tr -d '\r' | diff text -
	TERM=nosuch script -qec "'$perfstamp' report --no-debuginfod '$data'" /dev/null | tr -d '\r' >said
	grep -q 'cannot be browsed on the terminal "nosuch"' said
	grep -q 'Symbol' said
}
