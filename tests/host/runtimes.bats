#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Real runtimes, each in a container whose files end with it: report, and stock perf elsewhere
# after inject --jit and archive, name the functions that stock perf finds on the spot. All of
# them: tests/lib/runtimes/compare.

setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	. "$BATS_TEST_DIRNAME/../lib/recording.bash"
}

# agrees NAME: there are samples, and each count is that on the spot, but for what was undecided.
agrees() {
	local line

	run -0 --separate-stderr "$root/tests/lib/runtimes/compare" "$1"
	echo "$output"
	line=$(grep "^| $1 " <<<"$output")
	tr -d '|' <<<"$line" | awk 'function near(a, b) { return a >= b - b / 10 - 1 && a <= b + b / 10 + 1 }
		{ exit !($2 > 10 && $3 > 3 && near($4, $2) && near($5, $3) && near($6, $2) && near($7, $3)) }'
}

@test "Node.js, by a map file and by a jitdump" {
	agrees node
	agrees node-dump
}

@test "Python: its functions are callers between those of the interpreter" {
	agrees python
}

@test "PHP" {
	agrees php
}

@test "a program that compiles with LLVM's ORC" {
	agrees llvm-orc
}

@test "Java's list at its end, which counts for what was before only if asked" {
	agrees java-at-exit
}

# advice COMMAND...: what report says on a recording of it, whose switch for names is not set.
advice() {
	# shellcheck disable=SC2016 # for the shell inside
	record -q -F 199 -o bare.data -- unshare --mount sh -c '
		mount -t tmpfs tmpfs "$1/tmp" && cp "$2"/[hH]ot.* "$1/tmp" && mount -t proc proc "$1/proc" &&
			root=$1 && shift 2 && exec chroot "$root" "$@"' \
		sh "$runtimes" "$root/tests/lib/runtimes" "$@"
	"$perfstamp" report -i bare.data 2>&1 | sed -n 's/^# To record the names of //p'
}

@test "report tells how each runtime is made to write names, where it has written none" {
	runtimes=$("$root/scripts/runtimes" --dir)
	[[ $(advice /usr/bin/node /tmp/hot.js) = 'what Node.js compiles: node --perf-basic-prof-only-functions,'* ]]
	[[ $(advice /usr/bin/python3.13 /tmp/hot.py) = 'what Python runs: python3 -X perf '* ]]
	[[ $(advice /usr/bin/php8.4 -n -d zend_extension=opcache -d opcache.enable_cli=1 \
		-d opcache.file_update_protection=0 -d opcache.jit_buffer_size=32M \
		-d opcache.jit=tracing /tmp/hot.php) = 'what PHP compiles: php -d opcache.jit_debug=0x10,'* ]]
	[[ $(advice /usr/lib/jvm/java-21-openjdk-amd64/bin/java /tmp/Hot.java) = 'what Java compiles: java '*'jcmd PID Compiler.perfmap'* ]]
}

@test "doctor counts who writes no names, and tells how they are made to" {
	# shellcheck disable=SC2016 # for the shell inside
	within='. "$1/tests/lib/await.sh"
		says() { "$perfstamp" doctor >said || true; grep -qE "$1" said; }
		node --perf-basic-prof-only-functions -e "for (;;);" &
		await says "^\+ Node.js +1 process writes names of functions\$"
		node -e "for (;;);" &
		await says "^  Node.js +1 of 2 processes writes no names of functions\$"'
	# Nobody else is in /proc there, and all end with its shell.
	unshare --pid --fork --kill-child --mount-proc env perfstamp="$perfstamp" bash -c "$within" sh "$root"
	grep -A 1 '^  Node.js' said | grep -x ' *-> node --perf-basic-prof-only-functions, or --perf-prof for source lines, too'
}
