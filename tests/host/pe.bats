#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Code that is no ELF: a PE file, mapped as Wine maps one, is known by its cookie everywhere,
# and told from another one at its path.

setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	. "$BATS_TEST_DIRNAME/../lib/recording.bash"
	[ "$(uname -m)" = x86_64 ] || skip "the PE's code is of x86-64"
	mkdir home
	export HOME=$PWD/home
}

teardown() {
	recording__end
}

# put OFFSET BYTES: into game.exe, BYTES as printf takes them.
put() {
	printf '%b' "$2" | dd of=game.exe bs=1 seek=$(($1)) conv=notrunc status=none
}

# A PE32+ of one section, .text, at the same place in the file as in memory; by its cookie
# what docs/format.md says of its 8192 bytes.
make_pe() {
	truncate -s 8192 game.exe
	put 0 'MZ'
	put 0x3c '\x80'
	put 0x80 'PE\0\0\x64\x86\x01'
	put 0x94 '\xf0\0\x22\0\x0b\x02'
	put 0xa8 '\0\x10\0\0\0\x10'
	put 0xb0 '\0\0\0\x40\x01'
	put 0xb8 '\0\x10\0\0\0\x10'
	put 0xd0 '\0\x20\0\0\0\x10'
	put 0x104 '\x10'
	put 0x188 '.text\0\0\0\0\x10\0\0\0\x10\0\0\0\x10\0\0\0\x10'
	put 0x1ac '\x20\0\0\x60'
	# mov rcx, rdi; dec rcx; jnz; ret
	put 0x1000 '\x48\x89\xf9\x48\xff\xc9\x75\xfb\xc3'
	cookie=01478058de73adc276b0684c8f9431e72e
	touch -d '1 hour ago' game.exe # what was written just now is not captured
}

# Maps header and section by themselves, into a place that was kept for them; calls the code
# until it is told to end.
make_loader() {
	gcc -O1 -o loader -xc - <<-'END'
		#include <fcntl.h>
		#include <poll.h>
		#include <sys/mman.h>
		#include <unistd.h>

		int main(int argc, char **argv)
		{
			int fd = open(argv[argc - 1], O_RDONLY);
			char c, *base = mmap(0, 0x2000, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

			read(0, &c, 1);
			if (mmap(base, 0x1000, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) != base ||
				mmap(base + 0x1000, 0x1000, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
					fd, 0x1000) != base + 0x1000)
				return 1;
			while (!poll(&(struct pollfd){.events = POLLIN}, 1, 0))
				((void (*)(unsigned long))(base + 0x1000))(10000000);
			return 0;
		}
	END
}

# "BUILD-ID COOKIE" of what the recording has samples in.
ids() {
	{ "$perfstamp" list --json data 2>/dev/null || true; } | jq -r 'select(.path | endswith("/game.exe")) |
		select(.samples >= 3) | "\(.build_id) \(.cookie)"'
}

is_there() {
	[ "$(ids)" = "null $cookie" ]
}

# Why its samples have no name.
why() {
	"$perfstamp" report --no-pager "$@" data | sed -n "s/^# *[0-9]* in .*game.exe (cookie:$cookie): //p"
}

@test "a PE file as Wine maps it: its cookie in the recording, and in all that goes by it" {
	make_pe
	make_loader
	mkfifo hold
	exec 9<>hold
	start bash -c 'exec ./loader game.exe <hold 9<&-'
	start_recording --capture=symbols -p "$pid"
	echo >&9
	await is_there
	echo >&9
	end_by_itself
	is_there
	perf newest script -i data -F ip,dso | grep -q '(.*/game.exe)'

	# It has no symbols of its own: all of it is kept, and is no reason to look for more.
	"$perfstamp" cache find "cookie:$cookie" >found
	cmp game.exe "$(cat found)"
	"$perfstamp" cache verify
	[ "$(why)" = "it is not an ELF file" ]
	mv game.exe kept.exe
	[ "$(why)" = "it is not an ELF file" ]
	# Elsewhere: by a bundle.
	"$perfstamp" archive -o bundle.tar.zst data
	mkdir other
	HOME=$PWD/other "$perfstamp" archive --import bundle.tar.zst
	HOME=$PWD/other "$perfstamp" cache find "cookie:$cookie" >found
	cmp kept.exe "$(cat found)"

	# Without a store: another one at the path is another.
	mkdir bare
	HOME=$PWD/bare
	[ "$(why)" = "no file with this identity was found" ]
	cp kept.exe game.exe
	[ "$(why)" = "it is not an ELF file" ]
	put 0x10 'x'
	[ "$(why)" = "the file now at the path has another identity" ]
	# By force no code is made of it, either.
	[ "$(why --force)" = "the file now at the path has another identity" ]
	"$perfstamp" cache add kept.exe game.exe
	[ "$("$perfstamp" cache list | grep -c '^cookie:')" -eq 2 ]
	"$perfstamp" cache find "cookie:$cookie" >found
	cmp kept.exe "$(cat found)"
}
