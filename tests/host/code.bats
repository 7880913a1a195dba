#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Code made at run time: what its process wrote about it is kept while it lives, and names
# samples at their time. The threads of tools/jit have the name of the code that they run, so
# that each sample tells what is right.

setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	. "$BATS_TEST_DIRNAME/../lib/recording.bash"
}

teardown() {
	local file

	# Before what waits for it.
	if [ -n "${server-}" ]; then
		kill -USR2 "$server"
		kill -TERM "$server"
	fi
	recording__end
	# What was recorded here has left its map files behind.
	for file in *.data*; do
		"$perfstamp" dump "$file" 2>/dev/null | sed -n 's/.* code="perf-map".* of-pid=\([0-9]*\) .*/\1/p'
	done | sort -u | while read -r file; do
		rm -f "/tmp/perf-$file.map"
	done
}

# judge FILE [OPTION...]: "RIGHT WRONG NONE": samples in made code, by what they are named.
judge() {
	"$perfstamp" report -s comm,dso,sym --json "${@:2}" -i "$1" | jq -rs '
		[.[] | select(.type == "row" and .dso == "//anon" and (.comm | startswith("code")))] |
		def sum(f): map(select(f).samples) | add // 0;
		"\(sum(.symbol == .comm)) \(sum(.symbol != .comm and .symbol != null)) \(sum(.symbol == null))"'
}

# The same of stock perf: "RIGHT WRONG".
judge_perf() {
	"$root/scripts/perf" "$1" report -i "$2" --stdio -s comm,sym -F sample,comm,sym 2>/dev/null |
		awk '$2 ~ /^code/ && $4 ~ /^code/ { if ($2 == $4) right += $1; else wrong += $1 }
			END { print right + 0, wrong + 0 }'
}

@test "each sample has the name that its address had then, of a jitdump" {
	local right wrong none

	record -F 2999 -o dump.data -- "$tools/jit" dump 1500 300 64
	rm -f jit-*.dump
	read -r right wrong none < <(judge dump.data)
	echo "right $right wrong $wrong none $none"
	[ "$right" -gt 100 ]
	[ "$wrong" -eq 0 ]
	[ "$none" -eq 0 ]
}

@test "of a map file that names one place again and again no sample has a wrong name, as with perf" {
	local right wrong none us

	# In bursts, too, in which the file is written while it is looked at.
	for us in 20 300; do
		record -F 1999 -o map.data -- "$tools/jit" map 1500 "$us" 64
		read -r right wrong none < <(judge map.data)
		echo "$us: right $right wrong $wrong none $none"
		[ "$wrong" -eq 0 ]
		[ $((right + none)) -gt 100 ]
		if [ "$none" -gt 0 ]; then
			run -0 "$perfstamp" report -i map.data
			[[ $output = *"whose name changed at that moment"* ]]
		fi
	done
	# File times are exact enough from Linux 6.13 on.
	if [ "$(printf '%s\n' 6.13 "$(uname -r)" | sort -V | head -n 1)" = 6.13 ]; then
		[ "$right" -gt $((none / 8)) ]
	fi
	# The last name of the place is what stock perf has for all.
	read -r right wrong < <(judge_perf 6.1 map.data)
	echo "perf: right $right wrong $wrong"
	[ "$wrong" -gt "$right" ]
}

@test "slower changes in a map file are decided" {
	local right wrong none

	record -F 999 -o map.data -- "$tools/jit" map 2000 400000 64
	read -r right wrong none < <(judge map.data)
	echo "right $right wrong $wrong none $none"
	[ "$wrong" -eq 0 ]
	[ "$right" -gt "$none" ]
}

@test "names outlive a container: its pids, its /tmp, and all of its files" {
	local right wrong none

	# Its process has another number outside, and its /tmp is gone with it. This tree may be
	# below /tmp, too.
	# shellcheck disable=SC2016 # for the shell inside
	record -F 999 -o gone.data -- unshare --mount --pid --fork --mount-proc sh -c '
		mount -t tmpfs tmpfs /tmp && cat >/tmp/jit && chmod +x /tmp/jit &&
			/tmp/jit map 1000 1000000 1' <"$tools/jit"
	read -r right wrong none < <(judge gone.data)
	echo "right $right wrong $wrong none $none"
	[ "$right" -gt 50 ]
	[ "$wrong" -eq 0 ]
	[ "$none" -eq 0 ]
	"$perfstamp" report --folded -i gone.data | grep -q ';code0 '
}

@test "stock perf gets the files again" {
	local map right wrong one

	# shellcheck disable=SC2016 # for the shell inside
	record -F 999 -o gone.data -- unshare --mount sh -c '
		mount -t tmpfs tmpfs /tmp && cat >/tmp/jit && chmod +x /tmp/jit &&
			exec /tmp/jit map 1000 1000000 1' <"$tools/jit"
	for one in 6.1 newest; do
		read -r right wrong < <(judge_perf "$one" gone.data)
		[ "$right" -eq 0 ]
	done
	mkdir files
	run -0 "$perfstamp" dump --code-files=files gone.data
	[ -z "$output" ]
	map=$(cd files && echo perf-*.map)
	cp "files/$map" "/tmp/$map"
	for one in 6.1 newest; do
		read -r right wrong < <(judge_perf "$one" gone.data)
		echo "$one: right $right wrong $wrong"
		[ "$right" -gt 50 ] || break
	done
	rm -f "/tmp/$map"
	[ "$right" -gt 50 ]
	[ "$wrong" -eq 0 ]
	# The recording knows the file by its content.
	run -0 "$perfstamp" list --code gone.data
	[ "$output" = "$(sha256sum "files/$map" | cut -c -32 | sed 's/.*/sha256:&  /')$map" ]
	run -0 --separate-stderr "$perfstamp" list --code --json gone.data
	jq -e --arg map "$map" --argjson size "$(stat -c %s "files/$map")" '.file == $map and
		.kind == "perf-map" and .comm == "code0" and .bytes == $size and .missing == 0' <<<"$output"
	run -0 "$perfstamp" list --code -v gone.data
	[[ ${lines[0]} = IDENTITY* && ${lines[1]} = sha256:*" $map "*" code0" ]]
	# A jitdump, byte by byte, and what perf makes of it at its path.
	record -F 999 -k mono -o dump.data -- "$tools/jit" dump 1000 100000 4
	map=$(echo jit-*.dump)
	mv "$map" was
	"$perfstamp" dump --code-files=. dump.data
	cmp "$map" was
	"$root/scripts/perf" newest inject --jit -f -i dump.data -o injected.data
	read -r right wrong < <(judge_perf newest injected.data)
	echo "injected: right $right wrong $wrong"
	[ "$right" -gt 50 ]
	run -1 "$perfstamp" dump --code-files=. gone.data.none
	record -F 99 -o none.data -- true
	run -1 "$perfstamp" dump --code-files=files none.data
	[[ $output = *"has no perf map files"* ]]
}

@test "node's functions have the names that stock perf finds on the spot" {
	local ours theirs one

	cat >hot.js <<-'END'
		function hotFunction(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) ^ (s >>> 3); return s; }
		const end = Date.now() + 1500; let x = 0;
		while (Date.now() < end) x += hotFunction(20000);
	END
	record -F 999 -g -o node.data -- node --perf-basic-prof-only-functions hot.js
	ours=$("$perfstamp" report --no-children -g none --json -i node.data |
		jq -s '[.[] | select(.type == "row" and (.symbol // "" | test("hotFunction"))).samples] | add')
	theirs=$("$root/scripts/perf" newest report -i node.data --stdio --no-children -g none -F sample,sym 2>/dev/null |
		awk '/hotFunction/ { n += $1 } END { print n + 0 }')
	echo "ours $ours theirs $theirs"
	[ "$ours" -gt 50 ]
	# A sample between two tiers of one function may be undecided.
	[ $((theirs - ours)) -le $((theirs / 20)) ]
	# Without the switch the report has it.
	record -F 199 -o bare.data -- node hot.js
	"$perfstamp" report -i bare.data | grep -x '# To record the names of what Node.js compiles: node --perf-basic-prof-only-functions, or --perf-prof for source lines, too'
	run ! grep 'To record the names' <("$perfstamp" report -i node.data)
	# Inlined functions would be asked of addr2line, which takes minutes for a file as large as node's.
	for one in "${perfs[@]}"; do
		run -0 --separate-stderr "$root/scripts/perf" "$one" report -i node.data --stdio --no-inline
		# shellcheck disable=SC2154 # bats sets stderr
		[[ $stderr != *[Uu]nknown* && $stderr != *nvalid* && $stderr != *rror* ]]
	done
}

# Whether FILE, which may be unfinished, has N records of map files.
has_read() {
	[ "$({ "$perfstamp" dump "$1" 2>/dev/null || true; } | grep -c 'code="perf-map"')" -ge "$2" ]
}

# Whether N files were ended.
has_parts() {
	[ "$(find . -name 'part.data.2*' | wc -l)" -ge "$1" ]
}

@test "each file of a recording in several has the names" {
	local file n named=0 right wrong none

	start "$tools/jit" map 600000 600000000 1
	start "$perfstamp" record -e cpu-clock "${room[@]}" -F 499 --switch-output -o part.data -p "$pid"
	for n in 1 2 3; do
		# What is read of the map file after a switch is in the next file.
		await has_read part.data 1
		await has_samples part.data 50
		kill -USR2 "$pid"
		await has_parts "$n"
	done
	stop_recording INT
	for file in part.data.2*; do
		read -r right wrong none < <(judge "$file")
		echo "$file: right $right wrong $wrong none $none"
		[ "$wrong" -eq 0 ]
		[ "$none" -eq 0 ]
		[ "$right" -eq 0 ] || named=$((named + 1))
	done
	[ "$named" -ge 3 ]
}

@test "a name that is written later names nothing before, but by force" {
	local right wrong none

	cat >later.c <<-'END'
		#include <stdio.h>
		#include <string.h>
		#include <sys/mman.h>
		#include <sys/prctl.h>
		#include <time.h>
		#include <unistd.h>
		int main(void) {
			static const unsigned char loop[] = {0x89, 0xf8, 0xff, 0xc8, 0x75, 0xfc, 0xc3};
			unsigned char *code = mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			char path[64];
			time_t end = time(0) + 2;
			FILE *map;
			memcpy(code, loop, sizeof(loop));
			prctl(PR_SET_NAME, "code0");
			while (time(0) < end)
				((void (*)(int))code)(100000);
			snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
			map = fopen(path, "w");
			fprintf(map, "%lx 10 code0\n", (unsigned long)code);
			fclose(map);
			return 0;
		}
	END
	gcc -o later later.c
	record -F 499 -o later.data -- ./later
	read -r right wrong none < <(judge later.data)
	echo "right $right wrong $wrong none $none"
	[ "$none" -gt "$right" ]
	"$perfstamp" report -i later.data | grep -q 'given a name only later'
	read -r right wrong none < <(judge later.data --force)
	[ "$right" -gt 0 ]
	[ "$none" -eq 0 ]
}

@test "a symbolic link, a FIFO, a device and another's file are not read" {
	local kind secret=$BATS_TEST_TMPDIR/secret

	echo "10 ff secret" >"$secret"
	for kind in link fifo device other; do
		# shellcheck disable=SC2016 # for the shell inside
		case $kind in
		link) cat >make.sh <<<'ln -s "$1" "$2"' ;;
		fifo) cat >make.sh <<<'mkfifo "$2"' ;;
		device) cat >make.sh <<<'mknod "$2" c 1 5' ;;
		other) cat >make.sh <<<'cp "$1" "$2" && chown 12345 "$2"' ;;
		esac
		# The pid stays through exec; the map file is there first, and jit cannot replace it.
		cat >"$kind.sh" <<-END
			sh make.sh $secret /tmp/perf-\$\$.map
			echo /tmp/perf-\$\$.map >>made
			exec "$tools/runs_made_code" 1000
		END
		run -0 --separate-stderr record -F 199 -o "$kind.data" -- sh "$kind.sh"
		xargs rm -f <made
		echo "$kind: $stderr"
		run -0 --separate-stderr "$perfstamp" dump "$kind.data"
		[[ $output != *'code="perf-map"'* ]]
		# A symbolic link cannot even be opened; all others are counted.
		"$perfstamp" check "$kind.data" >/dev/null || true
		strings -a "$kind.data" | grep -q "^code.missed"
	done
}

@test "a /tmp that leads out of the process's root is not followed, however it does" {
	local target up=../../../../../../../../../../..

	mkdir root outside
	gcc -static -O1 -o root/run "$root/tests/tools/runs_made_code.c"
	for target in "$PWD/outside" "$up$PWD/outside" /proc/1/cwd; do
		ln -sfn "$target" root/tmp
		cat >out.sh <<-END
			echo "10 ff secret" >$PWD/outside/perf-\$\$.map
			exec chroot root /run 1000
		END
		record -q -F 199 -o out.data -- sh out.sh
		run -0 --separate-stderr "$perfstamp" dump out.data
		[[ $output != *'code="perf-map"'* ]]
		rm -f outside/*
	done
	# Inside it is followed.
	mkdir root/inside
	ln -sfn /inside root/tmp
	sed -i "s|$PWD/outside|root/inside|" out.sh
	record -q -F 199 -o in.data -- sh out.sh
	run -0 --separate-stderr "$perfstamp" dump in.data
	[[ $output = *'code="perf-map"'* ]]
}

@test "of a file without an end 64 MiB are recorded, and the rest is counted" {
	cat >endless.sh <<-END
		truncate -s 80M /tmp/perf-\$\$.map
		echo /tmp/perf-\$\$.map >>made
		exec "$tools/runs_made_code" 2000
	END
	run -0 --separate-stderr record -q -F 199 -o endless.data -- sh endless.sh
	xargs rm -f <made
	[ "$("$perfstamp" list --code --json -i endless.data | jq .bytes)" -eq $((64 << 20)) ]
	# In base64, four bytes for three.
	[ "$(stat -c %s endless.data)" -lt $((90 << 20)) ]
	grep -aq '^code.missed.bytes' endless.data
	run "$perfstamp" cache --missing endless.data
	[[ $output = *"are not all in the recording: "*" bytes beyond the limits"* ]]
	run -0 --separate-stderr "$perfstamp" report -i endless.data
}

@test "a file that becomes shorter is read anew, and --no-code-names reads none" {
	local n name

	cat >again.sh <<-END
		echo "1000 10 old" >/tmp/perf-\$\$.map
		echo "1010 10 old2" >>/tmp/perf-\$\$.map
		echo /tmp/perf-\$\$.map >>made
		exec "$tools/runs_made_code" \$1
	END
	start sh again.sh 600000
	await test -s made
	start "$perfstamp" record -e cpu-clock "${room[@]}" -F 199 -o again.data -p "$pid"
	await has_read again.data 1
	echo "1000 10 new" >"$(<made)"
	await has_read again.data 2
	stop_recording INT
	"$perfstamp" dump again.data | grep 'code="perf-map"' >records
	cat records
	[ "$(wc -l <records)" -eq 2 ]
	[ "$(grep -o 'stream=[0-9]*' records | sort -u | wc -l)" -eq 2 ]
	[ "$(grep -c ' at=0 ' records)" -eq 2 ]
	# Each content is restored: the last one where stock perf looks for it.
	mkdir files
	"$perfstamp" dump --code-files=files again.data
	name=$(basename "$(<made)" .map)
	[ "$(echo files/*)" = "files/$name.1.map files/$name.map" ]
	printf '1000 10 old\n1010 10 old2\n' | cmp - "files/$name.1.map"
	printf '1000 10 new\n' | cmp - "files/$name.map"
	# list has these names, with their contents.
	"$perfstamp" list --code --json again.data | jq -r '"\(.sha256)  files/\(.file)"' | sort >listed
	sha256sum files/* | sort | diff - listed
	record --no-code-names -F 199 -o none.data -- sh again.sh 900
	xargs rm -f <made
	n=$("$perfstamp" dump none.data | grep -c 'code="perf-map"') || true
	[ "$n" -eq 0 ]
}

# Whether the process that reads map files, of the recorder, waits for the server.
reader_waits() {
	grep -q request_wait "/proc/$(pgrep -P "$recorder" -x perfstamp-code | tail -n 1)/wchan"
}

# Whether FILE has a mapping of code without a file, of process PID.
has_made_code() {
	has_record "$1" ".type == \"MMAP2\" and .pid == $2 and .path == \"//anon\""
}

@test "a /tmp whose server does not answer costs only its own processes their names" {
	local stalled second first jit

	[ -c /dev/fuse ] || skip "there is no FUSE"
	mkdir mounted
	mkfifo go
	start "$tools/silent_fs" mounted "$tools/worker" >server.out
	server=$pid
	await grep -q ready server.out
	start "$perfstamp" record -e cpu-clock "${room[@]}" -F 99 -o stalled.data -p "$BASHPID"
	recorder=$pid
	await has_records stalled.data
	start "$tools/jit" map 600000 600000000 1
	first=$pid
	await has_read stalled.data 1
	# This tree may be below /tmp, too.
	exec 8<"$tools/runs_made_code"
	cat >stalled.sh <<-END
		exec 7<>go
		mount --bind "$PWD/mounted" /tmp
		echo bound
		read -r line <&7
		exec /proc/self/fd/8 600000
	END
	start unshare --mount sh stalled.sh >stalled.out
	stalled=$pid
	await grep -q bound stalled.out
	kill -USR1 "$server"
	await grep -q silent server.out
	echo >go
	await reader_waits
	start "$tools/jit" map 600000 600000000 1
	jit=$pid
	await has_read stalled.data 2
	# The next one there is not even asked.
	start nsenter --target "$stalled" --mount /proc/self/fd/8 600000
	second=$pid
	exec 8<&-
	await has_made_code stalled.data "$second"
	run ! reader_waits
	pid=$recorder
	stop_recording INT
	[ "$status" -eq 0 ]
	grep -aq '^code.missed.unanswered=2$' stalled.data
	# What was read before is not read again.
	[ "$("$perfstamp" dump stalled.data | grep -c 'code="perf-map"')" -eq 2 ]
	[ "$("$perfstamp" list --code --json stalled.data | jq -r .file | sort)" = \
		"$(printf 'perf-%s.map\n' "$first" "$jit" | sort)" ]
}
