#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# How far long work is, as a terminal shows it and nothing else does, and what ^C leaves.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

teardown() {
	recording__end
}

# on_terminal COMMAND: runs it by bash on a terminal of 100 columns; all that it shows comes into the
# file screen.
on_terminal() {
	SHELL=$BASH script -q -e -f -c "stty cols 100; $1" screen >/dev/null </dev/null
}

@test "a long reading shows bytes, a bar and the time left, on a terminal alone" {
	local samples=500000

	# As many samples as take this machine long.
	until grep -qaE 'reading big.data \[=* *\] +[0-9]+%  [0-9.]+ [MG]B of [0-9.]+ [MG]B' screen 2>/dev/null; do
		"$tools/crowd" big.data 4 100 10 100 "$samples"
		on_terminal "'$perfstamp' list big.data >list"
		samples=$((samples * 3))
		[ "$samples" -lt 100000000 ]
	done
	# The line is removed at the end, and standard output is untouched.
	[ "$(tr '\r' '\n' <screen | grep -av '^Script done' | tail -n 1)" = $'\033[K' ]
	run ! grep -a 'reading' list
	# Nor does a terminal show it that cannot write over a line.
	on_terminal "TERM=dumb '$perfstamp' list big.data >list"
	run ! grep -a 'reading' screen
	"$perfstamp" list big.data >piped 2>piped.err
	diff list piped
	[ ! -s piped.err ]
}

@test "of a pipe it shows how much was read, and a hostile name is escaped" {
	start "$tools/worker" -t 1 1000000000
	name=$'a\033[31mb'
	mkfifo "$name"
	start "$perfstamp" record -q -F 99 -e cpu-clock -p "$pid" -o "$name"
	on_terminal "'$perfstamp' list - <\$'a\\033[31mb' >list" &
	terminal=$!
	await grep -qaE 'reading standard input [0-9.]+ kB' screen
	kill -INT "$pid"
	wait "$terminal"
	[ -s list ]
}

@test "^C leaves no half file" {
	"$tools/crowd" big.data 4 100 10 100 300000
	for command in "timeline -o out big.data" "export --pprof -o out big.data" "archive --all -o out big.data" "check --repair out big.data"; do
		# shellcheck disable=SC2086
		start env --default-signal=INT "$perfstamp" $command
		# Whenever it comes: before the file is there, while it is written, or behind that.
		[ "$command" != "timeline -o out big.data" ] || await has_part
		kill -INT "$pid" || true
		status=0
		wait "$pid" || status=$?
		case $command:$status in
		*:0 | *:130) ;;
		# It had ended: what the recording names is not on this machine.
		archive*:1) [ -e out ] ;;
		*) echo "$command: status $status" && false ;;
		esac
		[ -z "$(compgen -G 'out.*')" ]
		rm -f out
	done
}

has_part() {
	compgen -G 'out.*' >/dev/null || ! kill -0 "$pid" 2>/dev/null
}
