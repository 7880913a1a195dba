#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# report --annotate: the instructions of the build that was mapped, as objdump shows them, with
# the samples that stock perf counts at each address.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup_file() {
	load ../lib/recording
	cd "$BATS_FILE_TMPDIR" || exit
	cat >busy.c <<-'END'
		volatile unsigned long x;
		__attribute__((noinline)) void churn(unsigned long n)
		{
			for (unsigned long i = 0; i < n; i++)
				x ^= x << 3 | i;
		}
		int main(void) { churn(WORK); return 0; }
	END
	# Two releases at one path; in the second the function has other instructions.
	cc -O0 -g -DWORK=80000000ul -Wl,--build-id=sha1 -o first busy.c
	cc -O2 -g -DWORK=80000000ul -Wl,--build-id=sha1 -o second busy.c
	# shellcheck disable=SC2016 # for sh
	record -q -F 1999 -o data -- sh -c 'for n in first second; do cp $n new; mv new server; ./server; done'
}

setup() {
	load ../lib/recording
	data=$BATS_FILE_TMPDIR/data
	export HOME=$BATS_FILE_TMPDIR
}

annotate() {
	"$perfstamp" report --no-debuginfod --no-pager --annotate churn "$@" "$data"
}

build_id() {
	readelf -n "$BATS_FILE_TMPDIR/$1" 2>/dev/null | sed -n 's/^ *Build ID: //p'
}

@test "instructions and samples are those of objdump and stock perf, of the build that ran" {
	"$perfstamp" cache add --buildid-dir "$BATS_TEST_TMPDIR/store" "$BATS_FILE_TMPDIR/first" "$BATS_FILE_TMPDIR/second" >/dev/null
	annotate --buildid-dir "$BATS_TEST_TMPDIR/store" --json |
		jq -c 'select(.type == "annotation")' >annotations
	[ "$(wc -l <annotations)" -eq 2 ]
	for build in first second; do
		jq -c "select(.build_id == \"$(build_id $build)\")" annotations >one
		[ "$(jq .samples one)" -gt 20 ]
		# All samples are in instructions, and these are where objdump has them.
		[ "$(jq '[.instructions[].samples] | add' one)" -eq "$(jq .samples one)" ]
		jq -r '.instructions[].address' one >ours
		objdump -d --no-show-raw-insn --disassemble=churn "$BATS_FILE_TMPDIR/$build" |
			sed -n 's/^ *\([0-9a-f]*\):\t.*/\1/p' | while read -r at; do echo $((0x$at)); done >objdumps
		diff objdumps ours
		jq -r '.instructions[].text' one | grep -q ret
	done
	# At each address as many as stock perf has, by the byte in its page.
	jq -r '.instructions[] | select(.samples > 0) | "\(.address % 4096) \(.samples)"' annotations |
		awk '{ n[$1] += $2 } END { for (at in n) print at, n[at] }' | sort >ours
	perf 6.12 script -i "$data" -F ip,dso 2>script.err | sed -n 's/^ *[0-9a-f]*\([0-9a-f]\{3\}\) (.*server)$/\1/p' |
		while read -r at; do echo $((0x$at)); done | sort | uniq -c | awk '{ print $2, $1 }' | sort >perfs
	[ "$(wc -l <ours)" -gt 4 ]
	[ -z "$(comm -23 ours perfs)" ]
}

@test "a build that is gone is not disassembled as the one at the path now" {
	# Of the first there are names in a debug file, which has no code.
	objcopy --only-keep-debug "$BATS_FILE_TMPDIR/first" first.debug
	"$perfstamp" cache add --buildid-dir "$BATS_TEST_TMPDIR/store" first.debug >/dev/null
	annotate --buildid-dir "$BATS_TEST_TMPDIR/store" >text
	cat text
	[ "$(grep -c 'Disassembly of server (' text)" -eq 2 ]
	# The second is still there, with lines of source.
	grep -A1 "$(build_id first)" text | grep '^# code: none: only the symbols of this build'
	grep -A1 "$(build_id second)" text | grep '^# code: /.*/server$'
	grep '^ *[1-9][0-9]*\.[0-9][0-9] :  *[0-9a-f]*:  ' text
	grep '^         : busy.c:5$' text
	annotate --force >text
	grep '^         : 5 .*x ^= x << 3 | i;' text
	# In the other syntax, and of one build alone.
	annotate -M intel | grep 'rip + 0x'
	run ! grep 'rip + 0x' text
	run "$perfstamp" report --no-debuginfod --annotate nothing "$data"
	[ "$status" -eq 1 ]
	[[ $output == *"no samples in a function \`nothing'"* ]]
	run annotate --folded
	[ "$status" -eq 2 ]
}

@test "percentages are those of perf annotate, for each of two functions of one name" {
	cat >one.c <<-'END'
		volatile unsigned long x;
		static void __attribute__((noinline)) same(unsigned long n) { for (unsigned long i = 0; i < n; i++) x ^= x << 3 | i; }
		void other(unsigned long n);
		int main(void) { same(100000000); other(100000000); return 0; }
	END
	cat >two.c <<-'END'
		extern volatile unsigned long x;
		static void __attribute__((noinline)) same(unsigned long n) { for (unsigned long i = 0; i < n; i++) x += x * i; }
		void other(unsigned long n) { same(n); }
	END
	cc -O1 -g -Wl,--build-id=sha1 -o both one.c two.c
	record -q -F 1999 -o both.data -- ./both
	local type
	for type in local-period local-hits; do
		"$perfstamp" report --no-debuginfod --no-pager -i both.data --annotate same --percent-type "$type" |
			awk '/ : +[0-9a-f]+: / { print $3, $1 }' | sort >ours
		perf 6.12 annotate --stdio -i both.data -s same --percent-type "$type" 2>err |
			awk '/ : +[0-9a-f]+: / { print $3, $1 }' | sort >perfs
		[ "$(grep -cv ' 0.00$' ours)" -gt 4 ]
		diff perfs ours
	done
	# perf's global ones are of the samples that -s leaves; ours are of all, as in the table.
	for type in global-period global-hits; do
		"$perfstamp" report --no-debuginfod --no-pager -i both.data --annotate same --percent-type "$type" >text
		[ "$(grep -c 'Disassembly of both' text)" -eq 2 ]
		awk '/of all samples/ { all = $4 + 0; sum = 0; n++ } / : +[0-9a-f]+: / { sum += $1 }
			/^$/ && (sum > all + 0.1 || sum < all - 0.1) { exit 1 } END { exit n != 2 }' text
	done
}

@test "a function of the kernel is disassembled from the vmlinux of its release" {
	local name at base id

	record -q -F 1999 -o kernel.data -- dd if=/dev/zero of=/dev/null bs=1 count=300000 2>dd.err
	name=$("$perfstamp" report --no-debuginfod --json --no-children -s sym kernel.data |
		jq -r 'select(.type == "row" and .kernel and .symbol) | .symbol' | head -n 1)
	[ -n "$name" ]
	at=$(awk -v name="$name" '$2 ~ /^[tT]$/ && $3 == name { print $1; exit }' /proc/kallsyms)
	base=$(awk '$3 == "_text" { print $1; exit }' /proc/kallsyms)
	id=$("$perfstamp" list --json kernel.data | jq -r 'select(.path | startswith("[kernel.kallsyms]")) | .build_id' | head -n 1)
	# A kernel of that build-id in which this function is at the same distance from _text.
	printf '%s\n' .text '.globl _text' _text: nop ".section .one, \"ax\", @progbits" ".globl $name" \
		".type $name, @function" "$name:" '.rept 4096' nop .endr ".size $name, . - $name" >vmlinux.s
	as -o vmlinux.o vmlinux.s
	ld -e _text -Ttext="0x$base" --section-start=.one="0x$at" --build-id="0x$id" -o vmlinux vmlinux.o
	# shellcheck disable=SC2016 # for sh
	unshare --mount sh -c 'mount -t tmpfs none /boot && cp vmlinux "/boot/vmlinux-$(uname -r)" && exec "$@"' - \
		"$perfstamp" report --no-debuginfod --no-pager --json --annotate "$name" kernel.data >annotation
	[ "$(jq -s 'map(select(.type == "annotation") | .instructions | length) | add' annotation)" -ge 1024 ]
	[ "$(jq -s 'map(select(.type == "annotation") | .instructions[].samples) | add' annotation)" -gt 0 ]
}

@test "of code that was made at run time no instructions are shown" {
	record -q -F 999 -o jit.data -- "$tools/jit" dump 800 5000 2
	"$perfstamp" report --no-debuginfod --no-pager -i jit.data --annotate code1 >text
	grep '^# code: none: it was made at run time' text
}

@test "a file whose code is damaged crashes nothing" {
	cp "$BATS_FILE_TMPDIR/server" whole
	for at in 100 4096 4400 9000 14000; do
		cp whole "$BATS_FILE_TMPDIR/server"
		head -c 64 /dev/urandom | dd of="$BATS_FILE_TMPDIR/server" bs=1 seek=$at conv=notrunc status=none
		run annotate
		[ "$status" -le 1 ]
		[[ $output == *"Disassembly of server"* || $output == *"no samples in a function"* ]]
	done
	cp whole "$BATS_FILE_TMPDIR/server"
}

@test "the annotation of a damaged recording reports the damage" {
	local -i end

	# Where the data end: struct perf_file_header. Three bytes less are within a record.
	end=$(($(od -An -t u8 -j 40 -N 8 "$data") + $(od -An -t u8 -j 48 -N 8 "$data")))
	head -c $((end - 3)) "$data" >cut.data
	for options in '' --json; do
		# shellcheck disable=SC2086 # no option at all
		run -1 --separate-stderr "$perfstamp" report --no-debuginfod --no-pager --annotate churn $options cut.data
		[[ $output == *churn* ]]
		[[ $stderr == *"perfstamp report: cut.data: offset "*": the data end inside a record" ]]
	done
}
