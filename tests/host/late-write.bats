#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A file that is rewritten just after it was mapped, with a time from before the mapping, never
# gets the later content's id; and a program that was written just before it is run gets its
# own. TRIES is how often files are rewritten, of each kind: 250; `make late-write` tries 10,000.
# shellcheck disable=SC2154,SC2016 # the variables of recording.bash, and those of other shells

setup() {
	load ../lib/recording.bash
	tries=${TRIES:-250}
}

teardown() {
	recording__end
	if mountpoint -q late; then umount late; fi
}

# late_write KIND MODE [OPTION...]: files of two contents that elf_gen makes.
late_write() {
	local kind=$1 mode=$2

	shift 2
	mkdir -p late
	"$tools/elf_gen" "$kind" 0a0b0c0d0e0f a
	"$tools/elf_gen" "$kind" 0f0e0d0c0b0a b
	record -o data "$@" -- "$tools/late_write" "$mode" a b "$tries" "$PWD/late" \
		"${delay_us:-10000}" 2>record.err
	"$perfstamp" dump --json data | jq -r --arg dir "$PWD/late/" 'select(.type == "MMAP2" and
		(.path | startswith($dir))) | .build_id // .reason' | sort | uniq -c >told
	echo "# $kind, $mode $*: $(awk '{ print $2 ": " $1 }' told | xargs)" >&3
	# Each was seen; and so was the content that was mapped.
	[ "$(awk '{ n += $1 } END { print n }' told)" -ge "$tries" ]
	run ! grep 0f0e0d0c0b0a told
}

@test "content in memory, rewritten just after it was mapped, is never told as the later one" {
	late_write plain warm
	grep -q 0a0b0c0d0e0f told
}

@test "content on disk, the same" {
	late_write plain cold
	grep -q 0a0b0c0d0e0f told
}

@test "content that only user space can read, the same" {
	late_write other-endian warm
	grep -q 0a0b0c0d0e0f told
}

@test "without BPF, the same" {
	late_write other-endian warm --rung MMAP2
	grep -q 'changing' told
}

# An ext4 whose inodes have no room for more than whole seconds of a time: one mapping and many
# a write are in the same one. Each file is rewritten at once.
late_write_in_a_second() {
	truncate -s 64M image
	mkfs.ext4 -q -I 128 image 2>/dev/null
	mkdir late
	mount -o loop image late || skip "no image can be mounted on this machine"
	delay_us=300
	late_write other-endian warm "$@"
}

@test "file times in whole seconds, the same" {
	late_write_in_a_second
}

@test "file times in whole seconds without BPF, the same" {
	late_write_in_a_second --rung MMAP2
}

# What the kernel side cannot read of a program, user space reads from one that is running.
@test "a program that was written just before it is run has its identity" {
	local i id
	gcc -Wl,--build-id -o program -x c - <<<'#include <unistd.h>
		int main(void) { char c; return read(0, &c, 1) > 0; }'
	id=$(readelf -n program | awk '/Build ID/ { print $3 }')
	mkfifo hold
	exec 9<>hold
	for ((i = 0; i < 8; i++)); do
		# Its pages are dropped, and its times are of now.
		cat >>fresh <<-END
			cp program fresh.$i && sync fresh.$i && "$tools/drop_pages" fresh.$i
			touch fresh.$i && ./fresh.$i <hold 9<&- &
		END
	done
	echo 'until [ -e stop ]; do sleep 0.1; done; kill $(jobs -p)' >>fresh
	start_recording -- bash fresh
	for ((i = 0; i < 8; i++)); do
		await has_record data ".type == \"MMAP2\" and (.path | endswith(\"/fresh.$i\"))"
	done
	touch stop
	end_by_itself
	"$perfstamp" dump --json data | jq -r --arg id "$id" 'select(.type == "MMAP2" and
		(.path | test("/fresh[.]"))) | "\(.build_id == $id) \(.source)"' | sort | uniq -c >told
	cat told
	run ! grep -q false told
}
