#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The kernel's identity, of this machine, of a recording and of others, and comparing them.

# shellcheck disable=SC2154,SC2030,SC2031 # bats sets stderr
setup() {
	# shellcheck source-path=SCRIPTDIR/../lib source=recording.bash
	. "$BATS_TEST_DIRNAME/../lib/recording.bash"
	# shellcheck source-path=SCRIPTDIR/../lib source=sshd.bash
	. "$root/tests/lib/sshd.bash"
	running=$(notes_id /sys/kernel/notes)
}

teardown() {
	recording__end
}

# The build-id in a notes file, by another reading than perfstamp's.
notes_id() {
	od -An -v -tx1 "$1" | tr -d ' \n' |
		sed -n 's/.*040000001400000003000000474e5500\([0-9a-f]\{40\}\).*/\1/p'
}

kernel() {
	"$perfstamp" kernel "$@"
}

# Another machine's notes: the same, with another build-id.
other_notes() {
	od -An -v -tx1 /sys/kernel/notes | tr -d ' \n' |
		sed "s/$running/00112233445566778899aabbccddeeff00112233/; s/../\\\\x&/g" >hex
	printf '%b' "$(cat hex)"
}

@test "the running kernel is what its notes say" {
	run -0 kernel
	[[ ${lines[0]} == "$running [kernel.kallsyms] $(uname -r) $(uname -m)" ]]
	run -0 kernel --json
	[ "$(jq -r .build_id <<<"$output")" = "$running" ]
	[ "$(jq -r .release <<<"$output")" = "$(uname -r)" ]
	[ "$(jq -r .of <<<"$output")" = running ]
	[ "$(jq -r '.modules | length' <<<"$output")" -eq "$(find /sys/module -maxdepth 2 -name coresize | wc -l)" ]
}

@test "a recording names the kernel that it was made on, ours and perf's" {
	local version
	record -q -o ours -- true
	run -0 kernel ours
	[[ ${lines[0]} == "$running [kernel.kallsyms] $(uname -r) $(uname -m)" ]]
	run -0 kernel --running ours
	[[ $output == "equal: the kernel"* ]]
	# Without samples of the kernel, too; and from a pipe.
	record -q --all-user -o - -- true >pipe
	run -0 kernel --running - <pipe
	[[ $output == "equal: the kernel"* ]]
	for version in "${perfs[@]}"; do
		# perf tells of what samples are in: this is in the kernel all the time.
		perf "$version" record -q -N -e cpu-clock -o theirs -- \
			dd if=/dev/zero of=/dev/null bs=1M count=2000 status=none
		run kernel theirs ours
		echo "$output"
		[ "$status" -eq 0 ]
		[[ $output == "equal: the kernel"* ]]
	done
}

@test "a copied notes file is compared with what runs" {
	run -0 kernel --running --notes /sys/kernel/notes
	[ "$output" = "equal: the kernel" ]
	other_notes >other
	run -1 kernel --running --notes other
	[ "${lines[0]}" = "--- running $(uname -r)" ]
	[ "${lines[1]}" = "+++ other" ]
	[ "${lines[2]}" = "-$running [kernel.kallsyms]" ]
	[ "${lines[3]}" = "+00112233445566778899aabbccddeeff00112233 [kernel.kallsyms]" ]
	[ "${lines[4]}" = "different: the kernel" ]
	run -1 kernel --json --running --notes other
	[ "${#lines[@]}" -eq 3 ]
	jq -e '.equal == false and .kernel_known and (.differences | length == 2)' <<<"${lines[2]}"
	run -1 kernel --notes /bin/ls
	[[ $output == *": not a copy of /sys/kernel/notes: "* ]]
	run -1 kernel --notes /dev/zero
	[[ $output == *": not a copy of /sys/kernel/notes: "* ]]
	run -1 kernel --notes none
	[[ $output == *"none: No such file or directory" ]]
}

@test "another machine by ssh: equal, and different" {
	sshd__start "$BATS_TEST_TMPDIR/sshd"
	run -0 kernel --ssh-command "$sshd_ssh" --running --ssh 127.0.0.1
	[[ $output == "equal: the kernel, and "* ]]
	run -0 kernel --ssh-command "$sshd_ssh" --ssh "$(id -un)@127.0.0.1"
	[ "${lines[0]}" = "$running [kernel.kallsyms] $(uname -r) $(uname -m)" ]
	# A machine with another kernel, whose shell greets, and with modules.
	mkdir -p sys/kernel sys/module/{ext4,none,builtin}/notes
	other_notes >sys/kernel/notes
	other_notes >sys/module/ext4/notes/.note.gnu.build-id
	touch sys/module/{ext4,none}/coresize
	echo "echo hello; sed 's#/sys/#$PWD/sys/#g' | sh" >sshd/forced
	run -0 kernel --ssh-command "$sshd_ssh" --ssh 127.0.0.1
	[ "${lines[0]}" = "00112233445566778899aabbccddeeff00112233 [kernel.kallsyms] $(uname -r) $(uname -m)" ]
	[ "${lines[1]}" = "00112233445566778899aabbccddeeff00112233 [ext4]" ]
	[ "${lines[2]}" = "-                                        [none]" ]
	[ "${#lines[@]}" -eq 3 ]
	run -1 kernel --ssh-command "$sshd_ssh" --running --ssh 127.0.0.1
	[[ ${lines[-1]} == "different: the kernel; "*"2 only in 127.0.0.1" ]]
	rm sys/kernel/notes
	run -1 kernel --ssh-command "$sshd_ssh" --ssh 127.0.0.1
	[[ $output == *": 127.0.0.1: /sys/kernel/notes cannot be read: "* ]]
}

@test "ssh that fails is one sentence after its own" {
	sshd__start "$BATS_TEST_TMPDIR/sshd"
	run -1 kernel --ssh-command "$sshd_ssh -i $BATS_TEST_TMPDIR/none" --ssh nobody@127.0.0.1
	[[ ${lines[-1]} == "perfstamp kernel: nobody@127.0.0.1: ssh failed; see its message above" ]]
	[[ $output == *"Permission denied"* ]]
	run -1 kernel --ssh-command ./no-such-ssh --ssh host
	[[ ${lines[-1]} == "perfstamp kernel: host: \`./no-such-ssh' cannot be run: is ssh installed?" ]]
	run -2 kernel --ssh -oProxyCommand=touch
	run -1 kernel --ssh-command true --ssh host
	[ "$output" = "perfstamp kernel: host: there was no answer" ]
	run -1 kernel --ssh-command 'exit 255 #' --ssh host
	[ "$output" = "perfstamp kernel: host: ssh failed; see its message above" ]
}

@test "what no kernel answers is refused, and never waited for" {
	kernel --ssh-command 'sh -c "exec sh" #' --ssh host >good
	run -1 timeout 120 "$perfstamp" kernel --ssh-command 'yes #' --ssh host
	[ "$output" = "perfstamp kernel: host: the answer has no kernel notes" ]
	run -1 timeout 120 "$perfstamp" kernel --ssh-command 'cat /dev/urandom #' --ssh host
	[ "${#lines[@]}" -eq 1 ]
	printf 'perfstamp-notes 1\nrelease x\nkernel\n' >flood
	run -1 timeout 120 "$perfstamp" kernel --ssh-command 'cat flood; yes " 00" #' --ssh host
	[ "$output" = "perfstamp kernel: host: the answer has more notes than any kernel" ]
	printf 'perfstamp-notes 1\nrelease \033[2J\n' >evil
	run -1 kernel --ssh-command 'cat evil #' --ssh host
	[ "$output" = "perfstamp kernel: host: line 2 of the answer is invalid: \"release ?[2J\"" ]
	run -1 kernel --ssh-command 'cat flood #' --ssh host
	[ "$output" = "perfstamp kernel: host: the answer was cut off in line 4" ]
	# A pattern that has no id.
	printf 'end\n' >>flood
	run -1 kernel --ssh-command 'cat flood #' --ssh host
	[ "$output" = "-                                        [kernel.kallsyms] x (its notes have no build-id)" ]
	run -1 kernel --running --ssh-command 'cat flood #' --ssh host
	[ "$output" = "not known: the kernel of host: its notes have no build-id" ]
}

@test "what is asked for wrongly is told" {
	run -2 kernel a b c
	[[ $output == *"no more than two kernels"* ]]
	run -1 kernel none
	[[ $output == *"none: cannot open: No such file or directory" ]]
}

@test "a vmlinux of another kernel is refused, and marked where it is forced" {
	run -1 "$perfstamp" record -e cpu-clock --vmlinux "$tools/worker" -o data -- true
	[[ $output == *"$tools/worker belongs to another kernel: it has "*"; --force accepts it" ]]
	[ ! -e data ]
	run -1 "$perfstamp" record -e cpu-clock --vmlinux none --force -o data -- true
	[[ $output == *"none: No such file or directory" ]]
	run -1 "$perfstamp" record -e cpu-clock --vmlinux /proc/version -o data -- true
	record --vmlinux "$tools/worker" --force -o data -- true 2>stderr
	grep -q 'belongs to another kernel: .* because of --force' stderr
	run -0 kernel data
	[[ ${lines[-1]} == "vmlinux: $tools/worker (forced: "* ]]
	# One that is right: a file of symbols that has the kernel's build-id.
	record -q --capture-kernel --buildid-dir store -o data -- true
	record -q --vmlinux "store/.build-id/${running:0:2}/${running:2}/elf" -o data -- true
	run -0 kernel --json data
	[[ $(jq -r .vmlinux <<<"$output") == */elf ]]
	[ "$(jq -r .vmlinux_reason <<<"$output")" = null ]
	# It is found there without being told, too.
	record -q --buildid-dir store -o data -- true
	run -0 kernel data
	[[ ${lines[-1]} == "vmlinux: store/.build-id/"*/elf || ${lines[-1]} == "vmlinux: /"* ]]
}

# Whether FILE has the kernel's symbols as they are. Those of BPF programs and of what is made
# for them come and go, while this machine records.
is_kallsyms() {
	diff -q <(grep -v '\]$' "$1") <(grep -v '\]$' /proc/kallsyms)
}

@test "the kernel's symbols are kept where perf has them" {
	local link
	link=.build-id/${running:0:2}/${running:2}
	MALLOC_PERTURB_=165 record -q --capture-kernel -o data -- true
	is_kallsyms "$HOME/.debug/$link/kallsyms"
	[ "$(readlink "$HOME/.debug/$link")" = "../../[kernel.kallsyms]/$running" ]
	[ "$(stat -c %a "$HOME/.debug/$link/kallsyms" "$HOME/.debug/$link/elf" | sort -u)" = 600 ]
	[ "$(readelf -n "$HOME/.debug/$link/elf" 2>/dev/null | awk '/Build ID/ { print $3 }')" = "$running" ]
	# No size is invented: /proc/kallsyms has none, and perf finds the end of each by the next.
	readelf -sW "$HOME/.debug/$link/elf" >symbols
	[ "$(grep -c ' FUNC ' symbols)" -gt 10000 ]
	[ "$(grep ' FUNC ' symbols | grep -vc ' 0 FUNC ')" -eq 0 ]
	rm -r "$HOME/.debug"
	printf '[other]\n\tdir = wrong\n[buildid] # ours\n dir = "%s" ; there\n' "$PWD/by config" >"$HOME/.perfconfig"
	record -q --capture-kernel -o data -- true
	rm "$HOME/.perfconfig"
	[ -s "by config/$link/kallsyms" ]
	[ ! -e "$HOME/.debug" ]
	# A store that cannot be written is told, and the recording goes on.
	: >file
	run --separate-stderr record --capture-kernel --buildid-dir file -o data -- true
	[[ $stderr == *"cannot store the kernel's symbols in file: file: Not a directory"* ]]
	"$perfstamp" check data
}

@test "several recorders keep the same symbols at once, and some are killed" {
	local link n pids=()
	link=store/.build-id/${running:0:2}/${running:2}
	for n in {1..6}; do
		start "$perfstamp" record -q -e cpu-clock --capture-kernel --buildid-dir store -o "data$n" -- true
		pids+=("$pid")
		if ((n % 3 == 0)); then
			sleep 0.1
			kill -KILL "$pid" || true
		fi
		# What is there at any moment is whole.
		[ ! -e "$link/kallsyms" ] || is_kallsyms "$link/kallsyms"
	done
	for pid in "${pids[@]}"; do wait "$pid" || true; done
	is_kallsyms "$link/kallsyms"
	readelf -sW "$link/elf" | grep -q ' _text$'
	# What the killed left is removed once it is old.
	: >"$link/.perfstamp.dead"
	touch -d '2 days ago' "$link"/.perfstamp.*
	record -q --capture-kernel --buildid-dir store -o data -- true
	[ -z "$(find store -name '.perfstamp.*')" ]
}

has_two_vdsos() {
	[ "$("$perfstamp" list --json data 2>/dev/null |
		jq -r 'select(.path == "[vdso]" and .build_id).build_id' | sort -u | wc -l)" -eq 2 ]
}

@test "the vDSO of a 32-bit process has its own build-id" {
	local bits
	cat >vdso.c <<-'END'
		#include <elf.h>
		#include <stdio.h>
		#include <sys/auxv.h>
		#include <unistd.h>

		/* Writes the first page of its own vDSO to the file that is named. */
		int main(int argc, char **argv)
		{
			unsigned long start = getauxval(AT_SYSINFO_EHDR);
			FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;

			/* So long as it lives, its vDSO can be read. */
			while (access("known", F_OK))
				usleep(10000);
			return !out || fwrite((void *)start, 4096, 1, out) != 1 || fclose(out);
		}
	END
	for bits in 32 64; do
		gcc "-m$bits" -o "vdso$bits" vdso.c
	done
	start_recording -q -- sh -c './vdso32 image32 & ./vdso64 image64 & wait'
	await has_two_vdsos
	: >known
	end_by_itself
	run -0 "$perfstamp" list --json data
	for bits in 32 64; do
		# Its notes are in the first page; the rest of the file is not there.
		id=$(readelf -n "image$bits" 2>/dev/null | awk '/Build ID/ { print $3 }')
		echo "$bits: $id"
		[ -n "$id" ]
		jq -e -s --arg id "$id" 'any(.path == "[vdso]" and .build_id == $id)' <<<"$output"
	done
	[ "$(jq -r 'select(.path == "[vdso]").build_id' <<<"$output" | sort -u | wc -l)" -eq 2 ]
}

# 300 MB of zeros in some kilobytes, in one stream or many; what is cut off; and a few bytes
# that want 2 GiB to be unpacked.
@test "a compressed module that is a bomb, or damaged, costs bounded memory" {
	local file kib
	head -c 10M /dev/zero >zeros
	head -c 300M /dev/zero | gzip -1 >bomb.ko.gz
	head -c 300M /dev/zero | zstd -q -1 >bomb.ko.zst
	xz -0 -c zeros >tenth.ko.xz
	for _ in $(seq 30); do cat tenth.ko.xz; done >bomb.ko.xz
	for file in gz xz zst; do head -c 3000 "bomb.ko.$file" >"cut.ko.$file"; done
	zstd -q --ultra --long=31 <zeros >window.ko.zst
	run -0 "$tools/unpack" tenth.ko.xz {bomb,cut}.ko.{gz,xz,zst} window.ko.zst
	[ "${lines[0]}" = "tenth.ko.xz: 10485760 bytes" ]
	for file in bomb.ko.{gz,xz,zst}; do
		[[ "$output" == *"$file: File too large"* ]]
	done
	for file in cut.ko.{gz,xz,zst} window.ko.zst; do
		[[ "$output" == *"$file: Bad message"* ]]
	done
	# What was unpacked, once over while the buffer grows.
	kib=${lines[-1]}
	[ "$kib" -lt $((3 * 256 * 1024)) ]
}

# The tag of a BPF program is that of its code: list has the two as one identity.
@test "two BPF programs of the same code have a symbol, an id and a code each" {
	local recorder ids

	start_recording -p $$
	recorder=$pid
	record -q -o both -- true
	kill -INT "$recorder"
	wait "$recorder"
	"$perfstamp" dump --json both | jq -r 'select(.type == "KSYMBOL" and
		(.name // "" | endswith("_follow_fork"))) | .addr' | sort -u >addresses
	[ "$(wc -l <addresses)" -ge 2 ]
	"$perfstamp" dump --header-only both | grep -o 'id [0-9]*, tag [0-9a-f]*, name follow_fork' >programs
	ids=$(awk '{ print $2 }' programs | sort -u | wc -l)
	[ "$ids" -ge 2 ]
	[ "$(awk '{ print $4 }' programs | sort -u | wc -l)" -eq 1 ]
	[ "$("$perfstamp" list --kernel both | grep -c '_follow_fork$')" -eq 1 ]
}
