# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# A scene of `make demo'; sourced by scripts/demo, which has what is not defined here. A JIT
# compiler puts other functions at the addresses of old ones. While a function runs, its thread
# has its name, so that each row shows whether its symbol is right.
# shellcheck disable=SC2154 # of scripts/demo

scene() {
	"${CC:-cc}" -O1 -D_GNU_SOURCE -Wl,--build-id -I "$here/.." -o jit "$here/../tests/tools/jit.c"
	say "A program makes code at run time: eight functions, one after the other at the same"
	say "address, a hundred times a second. Its thread has the name of the function that runs."
	show "perfstamp record -e cpu-clock -F 2999 -- jit"
	"$perfstamp" record -o perf.data -e cpu-clock -F 2999 "$@" -- ./jit dump 2000 10000 8 2>&1
	show "perfstamp report --stdio --sort comm,dso,sym"
	"$perfstamp" report -i perf.data --stdio --no-debuginfod --sort comm,dso,sym --percent-limit 2 | rows | tee report
	[ "$(grep -c '//anon' report)" -ge 6 ] || fail "most of the eight functions should be there"
	if awk '/\/\/anon/ && $2 != $NF { exit 1 }' report; then
		say
		say "Each sample has the name of the code that was there when it was taken, although all" \
			"eight were at one address."
	else
		fail "a sample has the name of other code than ran"
	fi
	show "perfstamp inject --jit -o named.data; perf report"
	"$perfstamp" inject --jit -o named.data --buildid-dir cache perf.data
	"${perf[@]}" --buildid-dir "$dir/cache" report -i named.data --stdio -q --sort comm,sym --percent-limit 2 2>perf.log |
		sed -e '/^#/d' -e 's/[- ]*$//' -e '/^$/d'
	say
	say "perf names them alike on any machine; $(took)."
}
