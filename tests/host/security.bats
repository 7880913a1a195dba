#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What docs/security.md promises and no other file shows: who may read what is written, and
# what the compiler and the linker add against files that are made to break their reader.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

teardown() {
	recording__end
}

@test "the program is position-independent, and its tables are read-only before main" {
	run -0 readelf -hW "$perfstamp"
	[[ $output = *"DYN (Position-Independent Executable file)"* ]]
	run -0 readelf -dW "$perfstamp"
	[[ $output = *BIND_NOW* ]]
	[[ $output != *TEXTREL* && $output != *RPATH* && $output != *RUNPATH* ]]
	run -0 readelf -lW "$perfstamp"
	[[ $output = *GNU_RELRO* ]]
}

@test "no segment can be written and executed, the stack included" {
	run -0 readelf -lW "$perfstamp"
	[[ $output =~ GNU_STACK[^$'\n']*' RW ' ]]
	run ! grep -E 'LOAD .* RWE ' <<<"$output"
}

@test "stacks are guarded, and copies of known size are checked" {
	run -0 readelf --dyn-syms -W "$perfstamp"
	[[ $output = *__stack_chk_fail* ]]
	[[ $output = *__vsnprintf_chk* ]] # the static libraries do not call this one
}

@test "the bill of materials has each library that is linked, and the documentation says what it is for" {
	local library

	run -0 "$root/scripts/sbom" "$perfstamp" 0.1.0
	echo "$output" >sbom.json
	run -0 jq -r '.components[].properties[] | select(.name == "perfstamp:library").value' sbom.json
	readelf -dW "$perfstamp" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >needed
	[ -s needed ]
	while read -r library; do
		grep -qxF "$library" <<<"$output"
	done <needed
	while read -r library; do
		grep -E '^\| [^|]*\|' "$root/docs/security.md" | cut -d'|' -f2 | grep -qwF "$library" ||
			{ echo "docs/security.md does not name $library"; false; }
	done <<<"$output"
	# As the package manager names them.
	run -0 jq -r '.components[] | select(."bom-ref" == "libbpf.so.1") | .purl' sbom.json
	[[ $output = pkg:deb/debian/libbpf1@* ]]
}

@test "a recording is readable only by its owner, whatever the umask" {
	umask 0
	record -o data -- true 2>record.err
	[ "$(stat -c %a data)" = 600 ]
	record --switch-output --timestamp-filename -o series -- true 2>>record.err
	run -0 stat -c %a series.*
	[ "$output" = 600 ]
	# Nor is what may be copied from files that others may not read.
	"$perfstamp" archive data
	[ "$(stat -c %a data.tar.zst)" = 600 ]
}

@test "what another user has put in place of the output is not written to" {
	mkdir shared own
	# Without the sticky bit, which has the kernel forbid some of it.
	chmod 777 shared
	echo kept >own/victim
	: >own/empty
	chmod 666 own/empty
	ln -s "$PWD/own/made" shared/dangling
	ln -s "$PWD/own/empty" shared/link
	: >shared/file
	mkfifo shared/fifo
	chown -h 65534 shared/*
	ln own/empty shared/second-name
	for name in dangling link file fifo second-name; do
		run -1 "$perfstamp" record -o "shared/$name" -- touch executed
		[[ $output == *"shared/$name was made by another user, in a directory that everybody can write to"* ]]
	done
	[ ! -e executed ]
	[ ! -e own/made ]
	[ ! -s own/empty ]
	# A file with content is kept under another name, and so is a link to one.
	ln -s "$PWD/own/victim" shared/data
	chown -h 65534 shared/data
	record -o shared/data -- true
	[ "$(cat own/victim)" = kept ]
	[ "$(stat -c '%F %u %a' shared/data)" = "regular file 0 600" ]
	# What the recorder's own user has made is used.
	: >shared/mine
	ln -s "$PWD/own/later" shared/my-link
	record -o shared/mine -- true
	record -o shared/my-link -- true
	is_valid own/later
	# The same for a page and a profile.
	for name in dangling link fifo; do
		for command in timeline "export --speedscope"; do
			# shellcheck disable=SC2086 # words
			run -1 "$perfstamp" $command -o "shared/$name" own/later
			[[ $output == *"shared/$name was made by another user, in a directory that everybody can write to"* ]]
		done
	done
	[ ! -e own/made ]
	[ ! -s own/empty ]
	"$perfstamp" timeline -o shared/file own/later
	[ "$(stat -c '%F %u' shared/file)" = "regular file 0" ]
}

@test "commands are not taken from a FIFO that another user has made" {
	local spec
	mkdir shared
	chmod 777 shared
	mkfifo shared/theirs shared/mine
	chown 65534 shared/theirs
	for spec in shared/theirs shared/mine,shared/theirs; do
		run -1 "$perfstamp" record --control "fifo:$spec" -o data -- touch executed
		[[ $output == *"--control: shared/theirs was made by another user, in a directory that everybody can write to"* ]]
	done
	[ ! -e executed ]
	record --control fifo:shared/mine -o data -- true
}

# waiting NAME MODE: a program of its own content that says so, and ends when its input does.
waiting() {
	gcc -Wl,--build-id -x c -o "$1" - <<-END
		#include <unistd.h>
		const char name[] = "$1";
		int main(void) { char c; return write(1, "ready\n", 6) < 0 || read(0, &c, 1) < 0; }
	END
	chmod "$2" "$1"
	touch -d '1 hour ago' "$1"
}

# kept_mode NAME: of the file that the store has of this program.
kept_mode() {
	local id

	id=$(readelf -n "$1" | awk '/Build ID/ { print $3 }')
	stat -L -c %a "$HOME/.debug/.build-id/${id:0:2}/${id:2}/elf"
}

@test "a captured file is readable by nobody whom the original's mode kept out" {
	umask 0
	mkfifo hold
	exec 9<>hold
	for name in private:700 public:755; do
		waiting "${name%:*}" "${name#*:}"
		start sh -c "exec ./${name%:*} <hold 9<&-" >"${name%:*}.out"
		await grep -q ready "${name%:*}.out"
		record --capture -o data -p "$pid" -- true 2>record.err
	done
	[ "$(kept_mode private)" = 600 ]
	[ "$(kept_mode public)" = 644 ]
}

# taken_over COMMAND...: runs it with a library that tries things from inside each helper process.
# Prints "PROCESS ATTACK" for each attack that was allowed, and for each process where it was tried.
taken_over() {
	touch victim
	truncate -s 0 said
	truncate -s 64K said
	TAKEOVER=$PWD/said LD_PRELOAD=$tools/libtakeover.so "$@" >taken_over.out
	tr -d '\0' <said | awk '$4 == "ALLOWED" { print $1, $3 } NF == 4 { print $1, "tried" }' | sort -u
}

# What a recorder has to be able to do, besides the processes, events and maps that it makes; it is
# not the place to be taken over.
recorder_may() {
	local attack

	for attack in change create fork kernel mode read remove signal tried truncate unix; do
		echo "perfstamp $attack"
	done
}

@test "what takes over a recorder can neither execute, connect, load, mount nor see other memory" {
	TAKEOVER_PROGRAM=yes taken_over "$perfstamp" record -q -e cpu-clock -o data -- env -u LD_PRELOAD true >allowed
	grep '^perfstamp ' allowed | diff <(recorder_may) -
	is_valid data
}

@test "what takes over a helper of a recording can neither write, connect, execute nor see memory" {
	local copies='? tried'

	# The name is in /proc, which Landlock denies to those who copy.
	"$perfstamp" doctor | grep -q 'Landlock (ABI' || copies='perfstamp-copy tried'
	cp "$(command -v sha1sum)" of-its-own
	# A copy of a file that was just written is a doubt, once nothing runs it any more.
	await is_no_longer_young of-its-own
	taken_over "$perfstamp" record -q --capture -e cpu-clock -o data -- \
		env -u LD_PRELOAD ./of-its-own "$perfstamp" >allowed
	# Who copies opens files and starts the copies, which parse. Both are "perfstamp-copy".
	sort -u - <<-END | diff - allowed
		$copies
		perfstamp-code read
		perfstamp-code tried
		perfstamp-copy change
		perfstamp-copy create
		perfstamp-copy fork
		perfstamp-copy mode
		perfstamp-copy read
		perfstamp-copy remove
		perfstamp-copy signal
		perfstamp-copy tried
		perfstamp-copy truncate
		perfstamp-read read
		perfstamp-read tried
	END
	# And the copies were made.
	"$perfstamp" cache list | grep -F of-its-own
}

@test "what takes over a reader of symbols, stacks or probes can read at most" {
	record -e cpu-clock --call-graph dwarf -o data -- sha1sum "$perfstamp"
	taken_over "$perfstamp" report --no-debuginfod -i data >allowed
	printf '%s\n' 'perfstamp read' 'perfstamp tried' 'perfstamp-elf read' 'perfstamp-elf tried' |
		diff - allowed
	taken_over "$perfstamp" report --no-debuginfod --sort srcline -i data >allowed
	printf '%s\n' 'perfstamp read' 'perfstamp tried' 'perfstamp-elf read' 'perfstamp-elf tried' |
		diff - allowed
	# The file is open already: it needs no other.
	taken_over "$perfstamp" cache probe add "$(command -v perl)" main >allowed
	"$perfstamp" doctor | grep -q 'seccomp' && echo '? tried' | diff - allowed
}
