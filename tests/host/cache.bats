#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The store by identity: what perf and perfstamp put there is found by both; what is wrong
# in it is never handed out, and nothing outside of it is touched.
# CORRUPTIONS (500) is how many files are damaged at random.

# shellcheck disable=SC2154 # bats sets stderr, home.bash the store
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

cache() {
	"$perfstamp" cache "$@"
}

id_of() {
	readelf -n "$1" 2>/dev/null | awk '/Build ID/ { print $3 }'
}

# build NAME ID-HEX [OPTION...]: a small library with this build-id.
build() {
	local name=$1 id=$2

	shift 2
	echo "int ${name}_function(void) { return ${#name}; }" >"$name.c"
	gcc -shared -fPIC -Wl,--build-id=0x"$id" "$@" -o "$name.so" "$name.c"
}

@test "what is added is found by perf, and what perf adds is found" {
	local version id
	id=$(id_of "$tools/worker")
	run -0 --separate-stderr cache list
	[ -z "$output$stderr" ]
	[ ! -e "$store" ]
	cache add "$tools/worker" '[vdso]'
	cmp "$tools/worker" "$store/.build-id/${id:0:2}/${id:2}/elf"
	[ "$(stat -c %h "$store/.build-id/${id:0:2}/${id:2}/elf")" -eq 1 ]
	run -0 cache find "$id"
	[ "$output" = "$store$tools/worker/$id/elf" ]
	run -0 cache find "${id:0:6}" "$tools/worker" '[vdso]'
	[ "${#lines[@]}" -eq 3 ]
	for version in "${perfs[@]}"; do
		run -0 perf "$version" buildid-cache --list
		[[ $output == *"$id $tools/worker"* ]]
		rm -r "$store"
		perf "$version" buildid-cache --add "$tools/mapper"
		run -0 cache list --json
		[ "$(jq -r .build_id <<<"$output")" = "$(id_of "$tools/mapper")" ]
		[ "$(jq -r .path <<<"$output")" = "$(realpath "$tools/mapper")" ]
		cache verify
		cache add "$tools/worker"
	done
	(cd "$store/.build-id/${id:0:2}/${id:2}" && sha256sum -c perfstamp.sum)
	cache remove "$id"
	run -1 cache find "$id"
	[[ $output == *": not in $store" ]]
	[ ! -e "$store/.build-id/${id:0:2}/${id:2}" ]
	[ ! -e "$store$tools/worker" ]
	run -1 cache remove "$id"
}

@test "what OpenTelemetry knows an executable by" {
	local hash size

	# As its profiler's own tests have it.
	printf '\x7fELF\x00\x01\x02\x03\x04' >nine
	cache add nine "$tools/worker"
	run -0 cache list --json
	[ "$(jq -r "select(.path == \"$PWD/nine\").htlhash" <<<"$output")" = caf6e5907166ac76eef618e5f7f59cd9 ]
	size=$(stat -c %s "$tools/worker")
	hash=$({
		head -c 4096 "$tools/worker"
		tail -c 4096 "$tools/worker"
		printf '%b' "$(printf %016x "$size" | sed 's/../\\x&/g')"
	} | sha256sum | head -c 32)
	run -0 cache find "htlhash:$hash"
	[ "$output" = "$store$tools/worker/$(id_of "$tools/worker")/elf" ]
	run -1 cache find "htlhash:${hash:0:30}"
}

@test "the store is where perf has it: option, environment, configuration, home" {
	local id
	id=$(id_of "$tools/worker")
	printf '[buildid]\n\tdir = "%s"\n' "$PWD/configured" >"$HOME/.perfconfig"
	cache add "$tools/worker"
	[ -e "configured/.build-id/${id:0:2}/${id:2}/elf" ]
	run -0 perf newest buildid-cache --list
	[[ $output == *"$id "* ]]
	PERF_CONFIG_NOGLOBAL=1 cache add "$tools/worker"
	[ -e "$store/.build-id/${id:0:2}/${id:2}/elf" ]
	PERF_BUILDID_DIR=environment cache add "$tools/worker"
	[ -e "environment/.build-id/${id:0:2}/${id:2}/elf" ]
	PERF_BUILDID_DIR=environment cache --buildid-dir option add "$tools/worker"
	[ -e "option/.build-id/${id:0:2}/${id:2}/elf" ]
	HOME='' run -0 cache --buildid-dir option list
	HOME='' run -1 cache list
	[[ $output == *"HOME is not set: name the cache with --buildid-dir" ]]
}

@test "debug files, content without build-id, and one build-id on two contents" {
	local id=00112233445566778899aabbccddeeff00112233
	build plain "$id" -g
	objcopy --only-keep-debug plain.so plain.debug
	cache add plain.so plain.debug
	run -0 cache list
	[[ $output == "$id $PWD/plain.so (elf, debug; "* ]]
	readelf -S "$store/.build-id/00/${id:2}/debug" | grep -q debug_info
	build other "$id"
	run -0 --separate-stderr cache add other.so
	[[ $stderr == *"the cache has other content with the build-id $id"*": both are kept"* ]]
	cmp plain.so "$store/.build-id/00/${id:2}/elf"
	build none "$id" -Wl,--build-id=none
	cache add none.so
	run -0 cache list --json
	[ "$(jq -rs 'map(select(.cookie)) | map(.path) | sort | .[]' <<<"$output" | xargs -n 1 basename | xargs)" = "none.so other.so" ]
	# What perf knows nothing of, it passes over.
	run -0 perf newest buildid-cache --list
	[ "$output" = "$id $PWD/plain.so" ]
	cache verify
	run -0 cache find "cookie:$(jq -r 'select(.path | endswith("none.so")).cookie' < <(cache list --json))"
	cmp none.so "$output"
}

@test "files of one build-id that are added by several names are one entry" {
	local id=00112233445566778899aabbccddeeff00112233
	build plain "$id" -g
	objcopy --only-keep-debug plain.so plain.debug
	cache add plain.debug
	cache add plain.so
	run -0 cache list
	[[ $output == "$id $PWD/plain.debug (elf, debug; "* ]]
	# A damaged file is replaced where it is.
	printf x | dd of="$store/.build-id/00/${id:2}/elf" bs=1 seek=600 conv=notrunc status=none
	cp plain.so copy.so
	cache add copy.so
	run -0 cache list
	[[ $output == "$id $PWD/plain.debug (elf, debug; "* ]]
	cmp plain.so "$store/.build-id/00/${id:2}/elf"
	cache verify
	[ "$(find "$store" -name "$id" | wc -l)" -eq 1 ]
}

@test "of several entries that begin as searched, the damaged ones are not shown" {
	local good=aa112233445566778899aabbccddeeff00112233 bad=aa912233445566778899aabbccddeeff00112233
	build good "$good"
	build bad "$bad"
	cache add good.so bad.so
	printf x | dd of="$store$PWD/bad.so/$bad/elf" bs=1 seek=600 conv=notrunc status=none
	run -1 --separate-stderr cache find aa --json
	[ "$(jq -r .build_id <<<"$output")" = "$good" ]
	[[ $stderr == *"$bad/elf: it"* ]]
}

@test "of contents with one build-id a stripped copy is told from another program" {
	local id=00112233445566778899aabbccddeeff00112233
	build plain "$id" -g
	strip -o stripped.so plain.so
	cache add plain.so
	run -0 --separate-stderr cache add stripped.so
	[[ $stderr == *"the cache has other content with the build-id $id, and the same code, as a stripped copy has: both are kept"* ]]
	run -0 cache add --json stripped.so
	[ "$(jq -c '[.collision, .same_code]' <<<"$output")" = '[true,true]' ]
	build different "$id"
	run -0 cache add --json different.so
	[ "$(jq -c '[.collision, .same_code]' <<<"$output")" = '[true,false]' ]
}

@test "the kernel's symbols and what a recording lacks" {
	local id running
	running=$("$perfstamp" kernel --json | jq -r .build_id)
	# Some module may be without a file, which is told.
	cache add '[kernel.kallsyms]' || true
	run -0 cache find "$running"
	[[ $output == *"/$running/kallsyms"* ]]
	cp "$tools/worker" ours
	id=$(id_of ours)
	record -q -g --all-user -o data -- ./ours 200
	run -1 cache --missing data
	[[ $output == *"$id $PWD/ours ("*" samples; is at its path)"* ]]
	cache add ours '[vdso]'
	"$perfstamp" cache --missing data --json | jq -r 'select(.at_path).path' >paths || true
	xargs -r -d '\n' "$perfstamp" cache add <paths
	run -0 cache --missing data
	[ -z "$output" ]
	# A damaged file is none, and nor are probes.
	cp "$store$PWD/ours/$id/elf" kept
	damage "$store$PWD/ours/$id/elf"
	run -1 --separate-stderr cache --missing data
	[[ $output == "$id $PWD/ours ("*" samples; is at its path)" ]]
	[[ $stderr == "perfstamp cache: $store"*"/$id/elf: "* ]]
	cache remove "$id"
	cache probe add ours main
	run -1 --separate-stderr cache --missing data
	[[ $output == "$id $PWD/ours ("*" samples; is at its path)" ]]
	[ -z "$stderr" ]
	cache remove "$id"
	cache add ours
	rm ours
	cache remove "$id"
	run -1 cache --missing data
	[[ $output == "$id $PWD/ours ("*" samples)" ]]
	# Other content with this build-id at the path is not what ran, as far as it can tell.
	cp "$tools/mapper" ours
	run -1 cache --missing data
	[[ $output == "$id $PWD/ours ("*" samples)" ]]
	cache verify
}

# Damages one byte of FILE at random, by the fixed seed of the test.
damage() {
	local size offset byte

	size=$(stat -c %s "$1")
	offset=$(((RANDOM << 15 | RANDOM) % size))
	byte=$(od -An -tu1 -j "$offset" -N 1 "$1")
	printf '%b' "\\x$(printf %02x $(((byte + 1 + RANDOM % 255) % 256)))" |
		dd of="$1" bs=1 seek="$offset" conv=notrunc status=none
}

@test "files that were damaged at random are never handed out" {
	local n=${CORRUPTIONS:-500} per=50 i used=0 quarantined=0 ids=()
	RANDOM=7
	home__in_memory
	for ((i = 0; i < per; i++)); do
		ids+=("$(printf '%040x' $((i + 1)))")
		build "lib$i" "${ids[i]}" -s
	done
	for ((; n > 0; n -= per)); do
		rm -rf "$store"
		cache add lib*.so
		for ((i = 0; i < per; i++)); do
			damage "$store$PWD/lib$i.so/${ids[i]}/elf"
		done
		run --separate-stderr cache find "${ids[@]}"
		used=$((used + $(grep -c . <<<"$output" || true)))
		run -1 cache verify
		[[ ${lines[-1]} == "$per files verified, $per quarantined, "* ]]
		quarantined=$((quarantined + per))
		run -0 cache list
		[ -z "$output" ]
	done
	echo "# $quarantined cache entries damaged, $used used" >&3
	[ "$used" -eq 0 ]
}

@test "an entry that is another's content, or has lost its note, is quarantined; and can be added again" {
	local id
	id=$(id_of "$tools/worker")
	perf newest buildid-cache --add "$tools/worker" # without a digest of ours
	cp --remove-destination "$tools/mapper" "$store/.build-id/${id:0:2}/${id:2}/elf"
	run -1 cache find "$id"
	[[ $output == *"its build-id is $(id_of "$tools/mapper")"* ]]
	run -1 cache verify
	[ -n "$(ls "$store/.perfstamp/quarantine")" ]
	[ ! -e "$store/.build-id/${id:0:2}/${id:2}" ]
	cache add "$tools/worker"
	cache find "$id"
	# What perf cannot have written either.
	: >"$store/.build-id/${id:0:2}/${id:2}/kallsyms"
	run -1 cache verify
	[[ ${lines[0]} == *"/kallsyms: it has no symbols" ]]
	cache find "$id"
}

@test "hostile links and names are neither followed nor written through" {
	local id=00112233445566778899aabbccddeeff00112233 before
	build plain "$id"
	mkdir -p outside "$store/.build-id/00" "$store/.build-id/11"
	echo precious >outside/elf
	cp plain.so outside/real
	before=$(find outside -type f -exec sha256sum {} + | sort)
	# To where perf has nothing, by .., absolute, into itself, to a file, to no directory.
	ln -s "$PWD/outside" "$store/.build-id/00/${id:2}"
	ln -s ../../../../outside "$store/.build-id/11/112233445566778899aabbccddeeff00112233"
	ln -s ../../../outside/real "$store/.build-id/11/22"
	ln -s ../../.build-id "$store/.build-id/11/33"
	ln -s 44 "$store/.build-id/11/44"
	mkdir "$store/.build-id/11/55"
	ln -s "$PWD/outside" "$store/.build-id/22"
	run -1 --separate-stderr cache list
	[ -z "$output" ]
	[[ $stderr == *" are not followed"* ]]
	run -1 cache find "$id"
	cache verify
	cache trim --size 1 --age 1s
	# Put in its place: the link becomes perf's.
	cache add plain.so
	cmp plain.so "$store/.build-id/00/${id:2}/elf"
	# A directory of the path that leads out, and a file instead of one.
	cache remove "$id"
	mkdir -p "$store/$(dirname "$PWD")"
	rm -rf "${store:?}/$PWD"
	ln -s "$PWD/outside" "$store/$PWD"
	run -1 cache add plain.so
	[[ $output == *"Not a directory"* || $output == *"Too many levels"* ]]
	rm "$store/$PWD"
	ln -s "$PWD/outside" "$store/.perfstamp/cookie"
	build none "$id" -Wl,--build-id=none
	run -1 cache add none.so
	rm "$store/.perfstamp/cookie"
	[ "$(find outside -type f -exec sha256sum {} + | sort)" = "$before" ]
	# Fifos, devices and circles are not waited for.
	cache add plain.so
	rm "$store/.build-id/00/${id:2}/elf"
	mkfifo "$store/.build-id/00/${id:2}/elf"
	timeout 60 "$perfstamp" cache verify
	run -1 timeout 60 "$perfstamp" cache find "$id"
	mkfifo fifo
	run -1 timeout 60 "$perfstamp" cache add fifo "$PWD" none.such
	[ "${#lines[@]}" -eq 3 ]
}

@test "trim takes what was not used for longest, and stops at the size" {
	local i
	for i in 1 2 3 4; do
		build "lib$i" "$(printf '%040x' "$i")"
		cache add "lib$i.so"
		find "$store$PWD/lib$i.so" -type f -exec touch -a -m -d "$((10 - i)) days ago" {} +
	done
	# Seen again: it is the newest by now.
	cache add lib1.so
	run -0 cache trim --size "$(($(stat -c %s lib1.so) * 5 / 2))"
	[[ $output == "2 entries removed, 2 left; "* ]]
	run -0 cache list
	[[ $output == *"/lib1.so ("*"/lib4.so ("* ]]
	run -0 cache trim --age 1d
	[[ $output == "1 entries removed, 1 left; "* ]]
	run -0 cache list
	[[ $output == *"/lib1.so ("* ]]
	# No bytes are a size as well.
	run -0 cache trim --size 0
	[[ $output == "1 entries removed, 0 left; "* ]]
	run -2 cache trim
	run -2 cache trim --size 0K
	run -2 cache trim --age 1y
	run -2 cache list --size 1
}

@test "to list entries is no use of them" {
	build none 00 -Wl,--build-id=none
	cache add none.so
	find "$store" -type f -exec touch -a -m -d '10 days ago' {} +
	cache list
	cache list
	run -0 cache trim --age 5d
	[[ $output == "1 entries removed, 0 left; "* ]]
}

@test "several writers, perf among them, and some are killed: what is there is whole" {
	local n id pids=() lib
	for lib in 1 2 3 4 5 6; do
		build "lib$lib" "$(printf '%040x' "$lib")"
		head -c 3M /dev/zero | tr '\0' "$lib" >>"lib$lib.so"
	done
	for n in {1..24}; do
		if ((n % 8 == 0)); then
			start perf newest buildid-cache --add lib1.so,lib2.so,lib3.so
		else
			start "$perfstamp" cache add lib{1..6}.so
		fi
		pids+=("$pid")
		if ((n % 3 == 0)); then
			kill -KILL "$pid" 2>/dev/null || true
		fi
		if ((n % 5 == 0)); then
			start "$perfstamp" cache trim --size 4M
			pids+=("$pid")
		fi
		# What is there at any moment is whole.
		for lib in 1 2 3 4 5 6; do
			id=$(printf '%040x' "$lib")
			if cp "$store/.build-id/00/${id:2}/elf" seen 2>/dev/null; then
				cmp seen "lib$lib.so"
			fi
		done
	done
	for pid in "${pids[@]}"; do wait "$pid" || true; done
	: >"$store/.build-id/.perfstamp.dead"
	run -0 cache verify
	[[ ${lines[-1]} == *" files verified, 0 quarantined, "* ]]
	cache add lib{1..6}.so
	for lib in 1 2 3 4 5 6; do
		run -0 cache find "$(printf '%040x' "$lib")"
		cmp "$output" "lib$lib.so"
	done
	[ -z "$(find "$store" -name '.perfstamp.*')" ]
}

@test "a full disk leaves no half of a file" {
	local small=$BATS_TEST_TMPDIR/small
	mkdir "$small"
	mount -t tmpfs -o size=1M tmpfs "$small"
	cp "$tools/worker" big
	head -c 3M /dev/urandom >>big
	run -1 cache --buildid-dir "$small/store" add big
	left=$(find "$small" -name elf -o -name '.perfstamp.*')
	umount "$small"
	[[ $output == *"No space left on device"* ]]
	[ -z "$left" ]
}
