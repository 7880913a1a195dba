#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Probe definitions are kept with the content that they were made for, in perf's words and
# where perf has them, and are handed out for nothing else.
# CORRUPTIONS (200) is how often they are damaged at random.

# shellcheck disable=SC2154,SC2016 # bats sets stderr, home.bash the store; tracefs has words with a dollar
setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	. "$BATS_TEST_DIRNAME/../lib/recording.bash"
	# shellcheck source-path=SCRIPTDIR/../lib source=home.bash
	. "$BATS_TEST_DIRNAME/../lib/home.bash"
}

teardown() {
	home__end
}

probe() {
	"$perfstamp" cache probe "$@"
}

# build FILE VERSION [OPTION...]: a library with functions and markers, whose addresses are
# not its offsets. marker_one and marker_two are where the markers are.
build() {
	local file=$1 version=$2

	shift 2
	cat >source.c <<-'EOF'
		#define MARK(name, args) MARK_AT(name, name, args, "counter_" name)
		#define MARK_AT(name, at, args, counter) \
			__asm__ volatile("marker_" at ": nop\n" \
				".pushsection .note.stapsdt,\"\",\"note\"\n" \
				".balign 4\n.4byte 8, 1f - 0f, 3\n.asciz \"stapsdt\"\n" \
				"0: .8byte marker_" at "\n.8byte _.stapsdt.base\n.8byte " counter "\n" \
				".asciz \"a-program\"\n.asciz \"" name "\"\n.asciz \"" args "\"\n" \
				"1: .balign 4\n.popsection\n")
		__asm__(".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
			".weak _.stapsdt.base\n.hidden _.stapsdt.base\n"
			"_.stapsdt.base: .space 1\n.popsection\n"
			"counter_one = 0\n");
		__attribute__((section(".probes"))) short counter_two __asm__("counter_two") = 1;
		int before(int n) { return n ? n * VERSION : before(n + 1); }
		int handle(int n) { MARK("one", "-4@%edi 8@$3"); return before(n) + 1; }
		#ifdef AGAIN
		#define one_more(at) MARK_AT("three", #at, "", "0")
		int once(int n) { one_more(a); return n + 1; }
		#endif
		int finish(int n) { MARK("two", "8@-8(%rbp) 4@away(%rip)"); return n + VERSION; }
		#ifdef AGAIN
		int twice(int n) { one_more(b); return n + 2; }
		#endif
	EOF
	gcc -shared -fPIC -O0 -DVERSION="$version" -Wl,-Ttext-segment=0x400000 \
		-Wl,-Bsymbolic "$@" -o "$file" source.c
}

# address SYMBOL FILE: as many bytes from the file's beginning, in hexadecimal.
address() {
	local address

	address=$(nm "$2" | awk -v name="$1" '$3 == name { print $1 }')
	[ -n "$address" ]
	objdump -F --disassemble="$1" --start-address="0x$address" "$2" |
		sed -n 's/^[0-9a-f]* <.*> (File Offset: \(0x[0-9a-f]*\)):$/\1/p' | head -n 1
}

id_of() {
	readelf -n "$1" 2>/dev/null | awk '/Build ID/ { print $3 }'
}

kept() {
	cat "$store$PWD/$1/$(id_of "$1")/probes"
}

@test "SDT markers are found, and are perf's" {
	build one.so 1
	probe add one.so
	run -0 probe show one.so
	[ "${#lines[@]}" -eq 2 ]
	[ "${lines[0]}" = "p:sdt_a_program/one $PWD/one.so:$(address marker_one one.so) arg1=%di:s32 arg2=\\3:u64" ]
	[[ ${lines[1]} == "p:sdt_a_program/two $PWD/one.so:$(address marker_two one.so)(0x"*") arg1=-8(%bp):u64" ]]
	run -0 --separate-stderr probe add one.so
	[[ $stderr == *"1 marker arguments omitted"* ]]
	# Known names are not doubled.
	[ "$(probe show one.so | wc -l)" -eq 2 ]
	run -0 --separate-stderr perf newest probe --cache --list
	[ -z "$stderr" ]
	[[ $output == *"$PWD/one.so ($(id_of one.so))"*"sdt_a_program:one=one"*"sdt_a_program:two=two"* ]]
	# A marker that is at several places is one of perf's, too.
	build several.so 1 -DAGAIN
	probe add several.so
	perf newest --buildid-dir "$PWD/other" buildid-cache --add "$PWD/several.so"
	# But for a name that tracefs would not take, and a constant that perf leaves out.
	diff <(sed 's/a-program/a_program/g' "$PWD/other$PWD/several.so/$(id_of several.so)/probes") \
		<(kept several.so | sed 's/ arg2=\\3:u64$//')
	[ "$(grep -c '^%' <(kept several.so))" -eq 3 ]
	[ "$(probe show several.so three | wc -l)" -eq 2 ]
	# A library of this machine, to the letter.
	local library
	library=$(realpath "$(gcc -print-file-name=libstdc++.so.6)")
	probe add "$library"
	perf newest --buildid-dir "$PWD/other" buildid-cache --add "$library"
	[ -s "$PWD/other/$library/$(id_of "$library")/probes" ]
	diff "$PWD/other/$library/$(id_of "$library")/probes" \
		"$store$library/$(id_of "$library")/probes"
}

@test "functions, by the words of perf probe" {
	build one.so 1
	probe add one.so handle 'mine:end=finish%return $retval' 'at=before+4 n=%di:s32'
	run -0 probe show one.so
	[ "${lines[0]}" = "p:probe_one/handle $PWD/one.so:$(address handle one.so)" ]
	[ "${lines[1]}" = "r:mine/end $PWD/one.so:$(address finish one.so) \$retval" ]
	[ "${lines[2]}" = "p:probe_one/at $PWD/one.so:$(printf '0x%x' $(($(address before one.so) + 4))) n=%di:s32" ]
	run -0 --separate-stderr perf newest probe --cache --list
	[ -z "$stderr" ]
	[[ $output == *"probe_one:at=before+4 n=%di:s32"* ]]
	# One of them, by either name; others stay.
	run -0 probe show one.so end
	[ "${lines[*]}" = "r:mine/end $PWD/one.so:$(address finish one.so) \$retval" ]
	run -0 probe show one.so mine:end --json
	[ "$(jq -r '.kind + " " + .group + " " + .event + " " + .path' <<<"$output")" = "uprobe mine end $PWD/one.so" ]
	[ "$(jq -r .build_id <<<"$output")" = "$(id_of one.so)" ]
	run -1 --separate-stderr probe show one.so theirs:end
	[[ $stderr == *"no definition of theirs:end is cached"* ]]
	# Stripped of its table, it has what others link to.
	build stripped.so 3 -s
	probe add stripped.so handle
	# Only all of them, or none.
	run -1 probe add one.so before no_such_function
	[[ $output == *"one.so: no such function: no_such_function"* ]]
	run -1 probe add one.so before+99999
	[[ $output == *"beyond the end"* ]]
	run -1 probe add one.so before before+1
	[[ $output == *"two definitions have the name probe_one:before; rename one with EVENT=before" ]]
	run -1 probe show one.so before
	run -0 probe list
	[ "$(grep -c "one.so .*(uprobe)" <<<"$output")" -eq 3 ]
	run -0 probe list "$PWD/stripped.so"
	[ "${lines[*]}" = "$(id_of stripped.so) $PWD/stripped.so probe_stripped:handle (uprobe)" ]
	run -1 probe list /no/such
}

@test "functions of the kernel" {
	local name

	probe add '[kernel.kallsyms]' vfs_read 'vfs_write%return $retval'
	run -0 probe show '[kernel.kallsyms]'
	[ "${lines[0]}" = "p:probe/vfs_read vfs_read+0" ]
	[ "${lines[1]}" = "r:probe/vfs_write__return vfs_write+0 \$retval" ]
	run -0 probe list --json
	name=$(jq -r .build_id <<<"${lines[0]}")
	[ -s "$store/[kernel.kallsyms]/$name/probes" ]
	[ "$(jq -r '.kind' <<<"$output" | sort -u)" = kprobe ]
	run -0 --separate-stderr perf newest probe --cache --list
	[[ $output == *"probe:vfs_read=vfs_read"* ]]
	run -1 probe add '[kernel.kallsyms]' no_such_function
	run -1 probe add '[kernel.kallsyms]'
}

@test "another build at the same path gets none, and the same build at another path does" {
	build one.so 1
	probe add one.so handle
	cp one.so same.so
	run -0 probe show same.so
	[ "${lines[*]}" = "p:probe_one/handle $PWD/same.so:$(address handle one.so)" ]
	build two.so 20000
	mv two.so one.so
	run -1 --separate-stderr probe show one.so
	[ -z "$output" ]
	[[ $stderr == *"for build-id $(id_of same.so), which is another build"* ]]
	run -0 --separate-stderr probe show --force one.so
	[[ $output == "p:probe_one/handle $PWD/one.so:0x"* ]]
	[[ $stderr == *"another build: an offset may be inside an instruction"* ]]
	# By its id, as it was kept.
	run -0 probe show "$(id_of same.so)"
	[[ $output == "p:probe_one/handle $PWD/one.so:0x"* ]]
	# Both beside one another.
	probe add one.so handle
	[ "$(probe list "$PWD/one.so" | wc -l)" -eq 2 ]
	run -0 --separate-stderr probe show one.so
	[ -z "$stderr" ]
	run -1 probe show "$tools/worker"
	[[ $output == *"no probe definitions are cached"* ]]
}

@test "without a build-id, or with one that other content has, it is the cookie" {
	build none.so 1 -Wl,--build-id=none
	probe add none.so handle
	run -0 probe show none.so
	[[ $output == "p:probe_none/handle $PWD/none.so:0x"* ]]
	[[ $(probe list) == cookie:*" $PWD/none.so probe_none:handle (uprobe)" ]]
	build a.so 1 -Wl,--build-id=0x1111111111111111111111111111111111111111
	build b.so 777 -Wl,--build-id=0x1111111111111111111111111111111111111111
	"$perfstamp" cache add a.so
	probe add a.so handle
	run -1 --separate-stderr probe show b.so
	[ -z "$output" ]
	probe add b.so before
	[[ $(probe show a.so) == "p:probe_a/handle "* ]]
	[[ $(probe show b.so) == "p:probe_b/before "* ]]
	"$perfstamp" cache verify
}

@test "what perf has changed is told, kept, and not handed out; what is damaged is not used" {
	local n=${CORRUPTIONS:-200} file size offset

	# What is put there is synced, which many hundred times takes long on a busy disk.
	mount -t tmpfs tmpfs "$HOME"
	build one.so 1
	probe add one.so handle
	file=$store$PWD/one.so/$(id_of one.so)/probes
	printf '#probe_one:finish\np:probe_one/finish %s:0x5\n' "$PWD/one.so" >>"$file"
	run -1 --separate-stderr probe show one.so
	[ -z "$output" ]
	[[ $stderr == *"it has changed since it was added"* ]]
	run -1 probe add one.so before
	run -1 --separate-stderr "$perfstamp" cache verify
	[[ $output == "1 file verified, 0 quarantined"* ]]
	probe add --force one.so before
	[ "$(probe show one.so | wc -l)" -eq 3 ]
	"$perfstamp" cache verify
	cp "$file" whole
	size=$(stat -c %s whole)
	RANDOM=11
	for ((; n > 0; n--)); do
		offset=$(((RANDOM << 15 | RANDOM) % size))
		cp whole "$file"
		# Another byte than the one that is there.
		printf '%b' "\\x$(printf %02x $((($(od -An -tu1 -j "$offset" -N 1 whole) + 1 + RANDOM % 255) % 256)))" |
			dd of="$file" bs=1 seek="$offset" conv=notrunc status=none
		run -1 --separate-stderr probe show one.so
		[ -z "$output" ]
	done
	echo "# ${CORRUPTIONS:-200} definitions of probes damaged, 0 used" >&3
	# Of what is no definition any more nothing is left.
	echo rubbish >"$file"
	run -1 "$perfstamp" cache verify
	[[ $output == *"1 quarantined"* ]]
	run -1 probe show one.so
}

@test "several writers at once lose nothing" {
	local i pids=()

	build one.so 1
	for ((i = 0; i < 20; i++)); do
		probe add one.so "e$i=handle" 3>&- &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i"
	done
	[ "$(probe show one.so | wc -l)" -eq 20 ]
	"$perfstamp" cache verify
}

@test "files that mean harm" {
	local size

	build one.so 1
	printf 'int x;' | gcc -xc -c -o relocatable.o -
	run -1 probe add relocatable.o x
	[[ $output == *"relocatable"* ]]
	run -1 probe add source.c x
	[[ $output == *"source.c: not an ELF file" ]]
	run -1 probe add /no/such x
	mkdir 'with blank'
	cp one.so 'with blank/one.so'
	run -1 probe add 'with blank/one.so' handle
	[[ $output == *"cannot have a path with blanks"* ]]
	run -1 probe add $'new\nline' x
	# What would act on a terminal, of a build whose definitions are there.
	cp one.so $'\e[31m.so'
	probe add one.so handle
	run -1 probe show $'\e[31m.so'
	[[ $output == *"/?[31m.so: probes cannot have a path with blanks or control characters" ]]
	run -1 probe add $'\e[31m.so' handle
	[[ $output == *"/?[31m.so: probes cannot have a path with blanks or control characters" ]]
	# Cut anywhere: an error, or what is there, and never more.
	for size in 10 64 200 1000 4096 5000 12000; do
		head -c "$size" one.so >cut.so
		run probe add cut.so handle
		[ "$status" -le 1 ]
		run probe add cut.so
		[ "$status" -le 1 ]
	done
	# Bytes of the note, each another one.
	RANDOM=5
	for ((size = 0; size < 60; size++)); do
		cp one.so odd.so
		printf '%b' "\\x$(printf %02x $((RANDOM % 256)))" |
			dd of=odd.so bs=1 conv=notrunc status=none \
				seek=$(($(readelf -SW one.so | awk '/note.stapsdt/ { print "0x" $(NF - 6) }') + size * 2))
		run probe add odd.so
		[ "$status" -le 1 ]
	done
	run "$perfstamp" cache verify
	[[ $output == *" 0 quarantined"* ]]
}

@test "the command line" {
	run -2 probe
	run -2 probe forget one.so
	[[ $output == *"probe needs add, list or show"* ]]
	run -2 probe add
	run -2 probe show
	run -2 "$perfstamp" cache list --force
	run -0 probe list
	[ -z "$output" ]
	run -1 probe show "$tools/worker"
	[ ! -e "$store" ]
}
