#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What a recording needs, taken elsewhere: by plain tar for stock perf, in one file, and by an
# import that believes nothing. CORRUPTIONS (500) is how many bundles are damaged at random.

# shellcheck disable=SC2154 # bats sets stderr, home.bash the store
# shellcheck disable=SC2030,SC2031 # each test has its own TMPDIR
setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	. "$BATS_TEST_DIRNAME/../lib/recording.bash"
	# shellcheck source-path=SCRIPTDIR/../lib source=home.bash
	. "$BATS_TEST_DIRNAME/../lib/home.bash"
}

teardown() {
	recording__end
	home__end
}

archive() {
	"$perfstamp" archive "$@"
}

id_of() {
	readelf -n "$1" 2>/dev/null | awk '/Build ID/ { print $3 }'
}

# burner NAME ID FUNCTION: a program of a few kilobytes without libraries, that spends its
# time in FUNCTION.
burner() {
	cat >"$1.c" <<-END
		static volatile unsigned long work;

		__attribute__((noinline)) void $3(void)
		{
			while (work < 100000000)
				work++;
		}

		void _start(void)
		{
			$3();
			__asm__ volatile("syscall" : : "a"(231), "D"(0));
		}
	END
	gcc -O1 -nostdlib -static -Wl,--build-id="$2" -o "$1" "$1.c"
}

# Whether the process waits until somebody reads what it writes.
waits_to_write() {
	grep -q pipe_write "/proc/$pid/wchan"
}

# What stock perf makes of each sample: address, function, file.
resolved() {
	perf "$1" script -i "$2" -F ip,sym,dso 2>/dev/null
}

@test "with the binaries deleted and an empty home, perf resolves as before, after plain tar" {
	local version
	cp "$tools/worker" ours
	record -q -g --all-user -o data -- ./ours 300 >/dev/null
	for version in "${perfs[@]}"; do resolved "$version" data >"before.$version"; done
	grep -q worker_ before.newest
	run -0 archive data
	[[ $output == "data.tar.zst: "*" contents, "* ]]
	[ ! -e "$store" ]
	# What is not needed is not in it.
	run -0 tar -tf data.tar.zst
	[[ $output != *"/bash/"* ]]
	rm ours
	for version in "${perfs[@]}"; do
		rm -rf "$store"
		mkdir "$store"
		tar -x -C "$store" -f data.tar.zst
		resolved "$version" data >now
		grep -q 'worker_.*/ours)' now
		diff "before.$version" now
	done
	"$perfstamp" cache verify
	"$perfstamp" cache --missing data
}

@test "with copies of stacks, what is only among the callers is in it, too" {
	local version

	cat >hot.c <<-'END'
		unsigned hot(unsigned n) { for (unsigned i = 0; i < n; i++) n ^= i * 31; return n + 1; }
	END
	echo 'unsigned hot(unsigned n); unsigned mid(unsigned n) { return hot(n) * 3; }' >mid.c
	echo 'unsigned mid(unsigned n); int main(void) { return mid(500000000) == 1; }' >calls.c
	gcc -O1 -fPIC -shared -fomit-frame-pointer -o libhot.so hot.c
	gcc -O1 -fPIC -shared -fomit-frame-pointer -o libmid.so mid.c libhot.so -Wl,-rpath,"$PWD"
	gcc -O1 -fomit-frame-pointer -o calls calls.c libmid.so -Wl,-rpath,"$PWD" -Wl,-rpath-link,"$PWD"
	record -q --call-graph dwarf --all-user -o data -- ./calls
	for version in "${perfs[@]}"; do resolved "$version" data >"before.$version"; done
	grep -q 'mid.*libmid.so' before.newest
	"$perfstamp" list data | grep -q libmid.so
	run -0 archive data
	run -0 tar -tf data.tar.zst
	[[ $output == */libmid.so/* ]]
	[[ $output != *"/bash/"* ]]
	rm libmid.so libhot.so calls
	for version in "${perfs[@]}"; do
		rm -rf "$store"
		mkdir "$store"
		tar -x -C "$store" -f data.tar.zst
		diff "before.$version" <(resolved "$version" data)
	done
}

# perf script of /data in the directory $tree, in a mount namespace of its own.
perf_in_root() {
	# shellcheck disable=SC2016 # for that shell
	env -i HOME=/root PATH="$PATH" unshare -m sh -c '
		mount -t proc proc "$1/proc" && exec chroot "$1" "$2/ld-linux-x86-64.so.2" --argv0 perf \
			--library-path "$2" /perf/usr/bin/perf script -i /data -F ip,sym,dso' sh "$tree" "$lib"
}

@test "in a root that has nothing but perf, too" {
	local tree=$BATS_TEST_TMPDIR/root lib=/perf/usr/lib/x86_64-linux-gnu
	burner burner sha1 burning
	record -q --all-user -o data -- ./burner
	archive data
	mkdir -p "$tree/root/.debug" "$tree/proc" "$tree/tmp"
	cp -r "$("$root/scripts/perf" --dir newest)/tree" "$tree/perf"
	cp data "$tree/data"
	tar -x -C "$tree/root/.debug" -f data.tar.zst
	run -0 perf_in_root
	[[ $output == *burning* ]]
	# And without it nothing would be known.
	rm -r "$tree/root/.debug"
	run -0 perf_in_root
	[[ $output != *burning* ]]
}

@test "one file with all in it is the same recording to perf and to perfstamp" {
	local version
	export TMPDIR=$PWD/tmp
	mkdir tmp
	burner burner sha1 burning
	record -q --all-user -o data -- ./burner
	run -0 archive --embed data
	for version in "${perfs[@]}"; do
		perf "$version" script -i data >plain 2>/dev/null
		perf "$version" script -i data.embedded >embedded 2>stderr
		diff plain embedded
		perf "$version" report -i data.embedded --stdio >/dev/null 2>>stderr
		run ! grep -i 'error\|corrupt\|invalid' stderr
	done
	"$perfstamp" check data.embedded
	diff <("$perfstamp" dump data) <("$perfstamp" dump data.embedded)
	# With nothing else it has the names.
	mv burner kept
	run -0 "$perfstamp" report --no-debuginfod data
	[[ $output != *burning* ]]
	run -0 "$perfstamp" report --no-debuginfod data.embedded
	[[ $output == *burning* ]]
	[ -z "$(ls "$TMPDIR")" ]
	# Also from standard input: a file, and a pipe.
	"$perfstamp" report --no-debuginfod data.embedded >named
	"$perfstamp" report --no-debuginfod - <data.embedded | diff named -
	# shellcheck disable=SC2002 # a pipe is meant
	cat data.embedded | "$perfstamp" report --no-debuginfod | diff named -
	run -0 archive --embed -o piped - <data.embedded
	"$perfstamp" report --no-debuginfod piped | diff <(sed 's/data.embedded/piped/' named) -
	# shellcheck disable=SC2002
	cat data | run -2 archive
	[ ! -e -.tar.zst ]
	# From the cache, but not if it is damaged, though its identity is right.
	"$perfstamp" cache add kept
	run -0 "$perfstamp" report --no-debuginfod data
	[[ $output == *burning* ]]
	sed -i s/burning/burnout/ "$store/$PWD/kept/$(id_of kept)/elf"
	run -0 "$perfstamp" report --no-debuginfod data
	[[ $output != *burn[io]* ]]
	rm -r "$store"
	mv kept burner
	# It has what it needs for another bundle, and embeds no second one.
	rm burner
	run -0 archive --embed -f -o again data.embedded
	[ "$(head -c "$(stat -c %s data)" again | cksum)" = "$(cksum <data)" ]
	run -0 archive -o again.tar.zst again
	[[ $output == "again.tar.zst: 1 of 1 contents, "* ]]
	run -0 archive --import again
	"$perfstamp" cache --missing data
	# Cut off, it is told.
	head -c -1 again >short
	run -1 archive --import short
	# A pipe's recording has no end to write behind.
	record -q --all-user -o - -- "$tools/worker" 50 >pipe
	run -1 archive --embed pipe
	[[ $output == *"only a complete recording in a file can contain a bundle: this one is in pipe format" ]]
	[ ! -e pipe.embedded ]
}

@test "what a command unpacks of a recording is removed, whatever signal ends the command" {
	local signal command full
	burner burner sha1 burning
	record -q --all-user -o data -- ./burner
	run -0 archive --embed data
	export TMPDIR=$PWD/unpacked
	mkdir "$TMPDIR"
	"$perfstamp" report --stdio --no-debuginfod data.embedded >out
	grep -q burning out
	[ -z "$(ls "$TMPDIR")" ]
	# The pipe is full, so that the command waits.
	mkfifo full
	exec {full}<>full
	dd if=/dev/zero of=full bs=4096 count=100 oflag=nonblock 2>/dev/null || true
	for signal in HUP INT QUIT TERM PIPE XFSZ; do
		start env --default-signal="$signal" stdbuf -o0 \
			"$perfstamp" report --no-debuginfod --annotate burning data.embedded >full
		await waits_to_write
		[ -n "$(ls "$TMPDIR")" ]
		stop_recording "$signal"
		[ "$status" = $((128 + $(kill -l "$signal"))) ]
		[ -z "$(ls "$TMPDIR")" ] || { echo "SIG$signal: $(ls "$TMPDIR")" && false; }
	done
	# Everything else has removed it before it writes.
	for command in 'report --stdio' 'report --folded' 'export --speedscope -o -' 'timeline -o -'; do
		# shellcheck disable=SC2086 # words
		start stdbuf -o0 "$perfstamp" $command --no-debuginfod data.embedded >full
		await waits_to_write
		[ -z "$(ls "$TMPDIR")" ] || { echo "$command: $(ls "$TMPDIR")" && false; }
		stop_recording TERM
	done
	exec {full}>&-
}

@test "libarchive is loaded for bundles alone, and told of where it is not there" {
	run ! grep -E 'libarchive|libxml2|libicu' <(ldd "$perfstamp")
	burner burner sha1 burning
	record -q --all-user -o data -- ./burner
	run -0 archive --embed data
	rm burner
	mkdir none
	: >none/libarchive.so.13
	export LD_LIBRARY_PATH=$PWD/none
	# Whoever has no bundle does not miss it.
	run -0 --separate-stderr "$perfstamp" report --no-debuginfod data
	[ -z "$stderr" ]
	run -0 --separate-stderr "$perfstamp" report --no-debuginfod data.embedded
	[[ $output != *burning* ]]
	[[ $stderr == *"bundles need libarchive.so.13 (Debian's package libarchive13)"* ]]
	run -1 archive -f -o out.tar.zst data
	[[ $output == *"bundles need libarchive.so.13 (Debian's package libarchive13)"* ]]
	[ ! -e out.tar.zst ]
	unset LD_LIBRARY_PATH
	run -0 --separate-stderr "$perfstamp" report --no-debuginfod data.embedded
	[[ $output == *burning* ]]
}

@test "what is lacking is told, and what is another's by now is not taken" {
	burner burner sha1 burning
	record -q --all-user -o data -- ./burner
	mv burner kept
	burner burner sha1 other_function
	run -1 archive data
	[[ ${lines[0]} == "perfstamp archive: missing: $(id_of kept) $PWD/burner ("*" samples)" ]]
	[[ ${lines[1]} == "data.tar.zst: 0 of 1 contents, "* ]]
	run -1 archive data
	[[ $output == *"data.tar.zst: exists; -f replaces it" ]]
	# From the cache, whatever path it had.
	"$perfstamp" cache add kept
	run -0 archive -f data
	[[ $output == "data.tar.zst: 1 of 1 contents, "* ]]
	# A damaged one is not taken from there.
	printf x | dd of="$store/$PWD/kept/$(id_of kept)/elf" bs=1 seek=5000 conv=notrunc status=none
	run -1 archive -f data
	[[ $output == *"it is damaged: its SHA-256 has changed"* ]]
	run -1 archive -f none
	run -1 archive -o data -f data
	[[ $output == *"is the input file" ]]
	"$perfstamp" check data
	run -2 archive --import data --all
}

@test "one build-id on two contents: both are taken, and perf finds that with most samples" {
	local id=0x00112233445566778899aabbccddeeff00112233
	burner one "$id" burning_one
	burner two "$id" burning_in_another_function # contents that differ in size, at least
	record -q --all-user -o data -- sh -c './one; ./one; ./one; ./one; ./two'
	archive data
	run -0 archive --import data.tar.zst
	run -0 "$perfstamp" cache list --json
	[ "$(jq -rs 'map(select(.cookie != null))[0].path' <<<"$output")" = "$PWD/two" ]
	cmp one "$store/.build-id/00/112233445566778899aabbccddeeff00112233/elf"
	rm one two
	run -0 "$perfstamp" cache --missing data
}

@test "bundles that were damaged at random: nothing wrong is ever imported" {
	local n=${CORRUPTIONS:-500} size offset byte used=0 refused=0 file
	RANDOM=11
	home__in_memory
	burner burner sha1 burning
	record -q --all-user -o data -- ./burner
	archive data
	size=$(stat -c %s data.tar.zst)
	cp burner kept
	while [ $((n -= 1)) -ge 0 ]; do
		rm -rf "$store"
		cp data.tar.zst damaged
		offset=$(((RANDOM << 15 | RANDOM) % size))
		# Another byte than the one that is there.
		byte=$(od -An -tu1 -j "$offset" -N 1 damaged)
		printf '%b' "\\x$(printf %02x $(((byte + 1 + RANDOM % 255) % 256)))" |
			dd of=damaged bs=1 seek="$offset" conv=notrunc status=none
		"$perfstamp" archive --import damaged >/dev/null 2>&1 || refused=$((refused + 1))
		for file in "$store"/"$PWD"/*/*/elf; do
			[ ! -e "$file" ] || cmp -s "$file" kept || used=$((used + 1))
		done
	done
	echo "# ${CORRUPTIONS:-500} bundles damaged, $refused refused, $used used" >&3
	[ "$refused" -gt 0 ]
	[ "$used" -eq 0 ]
}

# bundle FILE NAME...: makes a bundle of these files below the directory in, with its list.
bundle() {
	local out=$1

	shift
	mkdir -p in/.perfstamp
	(
		cd in || exit
		for name in "$@"; do
			[ ! -f "$name" ] || [ -L "$name" ] || sha256sum "$name"
		done >.perfstamp/bundle.sum
		tar -P "${tar_option---no-acls}" -c -f ../tar .perfstamp/bundle.sum "$@"
	)
	zstd -q -f tar -o "$out"
}

@test "hostile bundles: nothing leads out of the store, and no bomb fills it" {
	local id=0123456789abcdef0123456789abcdef01234567
	burner burner "0x$id" burning
	mkdir -p "in/b/$id" "$id" outside
	cp burner "in/b/$id/elf"
	cp burner "$id/elf"
	bundle good "b/$id/elf"
	run -0 archive --import good
	cmp burner "$store/.build-id/01/${id:2}/elf"
	rm -r "$store"
	# By .., and absolute.
	tar_option=--hard-dereference bundle dotdot "../$id/elf" "b/../../$id/elf" "$PWD/$id/elf"
	run -1 archive --import dotdot
	[ "$(grep -c 'refused: not a name that a cache can have' <<<"$output")" -eq 3 ]
	[[ $output == *"0 files imported; 3 refused" ]]
	# Links, out and in; and others for which tar has a name.
	mkdir -p in/.build-id/01 in/c
	ln -s /etc "in/.build-id/01/${id:2}"
	ln -s "$PWD/outside" "in/c/$id"
	ln "in/b/$id/elf" "in/b/$id/vdso"
	mkfifo in/b/fifo
	bundle links ".build-id/01/${id:2}" "c/$id" "b/$id/elf" "b/$id/vdso" b/fifo
	run -1 archive --import links
	[[ $output == *"1 file imported; 4 refused" ]]
	[ "$(readlink "$store/.build-id/01/${id:2}")" = "../../b/$id" ]
	[ -z "$(ls outside)" ]
	# A store in which a directory leads out.
	rm -r "$store"
	mkdir "$store"
	ln -s "$PWD/outside" "$store/b"
	run -1 archive --import good
	[ -z "$(ls outside)" ]
	rm -r "$store"
	# Another's content, and two contents with one identity.
	cp "$tools/worker" "in/b/$id/debug"
	bundle wrong "b/$id/debug"
	run -1 archive --import wrong
	[[ $output == *"b/$id/debug: refused: its build-id is $(id_of "$tools/worker")"* ]]
	burner second "0x$id" other_function
	mkdir -p "in/d/$id"
	cp second "in/d/$id/elf"
	bundle two "b/$id/elf" "d/$id/elf"
	run -1 archive --import two
	[[ $output == *"d/$id/elf: refused: the bundle has two contents with this build-id"* ]]
	cmp burner "$store/.build-id/01/${id:2}/elf"
	# A bomb.
	cp burner "in/b/$id/elf"
	truncate -s 300M "in/b/$id/elf"
	bundle bomb "b/$id/elf"
	rm -r "$store"
	run -1 archive --import bomb
	[[ $output == *"the bundle unpacks to more data than its files can have" ]]
	[ -z "$(find "$store" -size +1M)" ]
	# What is none.
	: >empty
	run -1 archive --import empty
	run -1 archive --import "$tools/worker"
	run -1 archive --import none
	tar -c -f - burner | zstd -q >foreign
	run -1 archive --import foreign
	[[ $output == *"not a bundle of perfstamp archive, or damaged" ]]
	mkfifo fifo
	run -1 timeout 60 "$perfstamp" archive --import fifo
}

@test "a bundle does not hide what the cache has, by another name for its build-id" {
	local id=0123456789abcdef0123456789abcdef01234567
	burner burner "0x$id" burning
	"$perfstamp" cache add burner
	mkdir -p "in/any/name/$id"
	echo 'ffffffff81000000 T _stext' >"in/any/name/$id/kallsyms"
	bundle kallsyms "any/name/$id/kallsyms"
	run -0 archive --import kallsyms
	run -0 "$perfstamp" cache find "$id"
	cmp burner "$store/.build-id/01/${id:2}/elf"
	run -0 "$perfstamp" cache list
	[[ $output == "$id $PWD/burner (elf, kallsyms; "* ]]
	[ ! -e "$store/any" ]
}

@test "a directory that is named as the file with the digests is one like others" {
	local id=0123456789abcdef0123456789abcdef01234567
	burner burner "0x$id" burning
	mkdir -p "in/opt/perfstamp.sums/$id"
	cp burner "in/opt/perfstamp.sums/$id/elf"
	bundle named "opt/perfstamp.sums/$id/elf"
	run -0 archive --import named
	[[ $output == *"1 file imported"* ]]
	cmp burner "$store/opt/perfstamp.sums/$id/elf"
}

@test "a full disk leaves no half of a bundle, nor half of what is imported" {
	local small=$BATS_TEST_TMPDIR/small left
	burner burner sha1 burning
	head -c 3M /dev/urandom >>burner
	record -q --all-user -o data -- ./burner
	archive data
	mkdir "$small"
	mount -t tmpfs -o size=1M tmpfs "$small"
	archive -o "$small/out" data >said 2>&1 || true
	archive --buildid-dir "$small/store" --import data.tar.zst >>said 2>&1 || true
	left=$(find "$small" -name elf -o -name 'out*' -o -name '.perfstamp.*')
	umount "$small"
	cat said
	[ "$(grep -c 'No space left on device' said)" -eq 2 ]
	[ -z "$left" ]
}
