#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A recording of a guest whose kernel is at a random address, opened here, with nothing but
# what was captured there. One boot (tests/lib/kernel.sh) makes all that the tests look at.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	for _ in 1 2 3 4; do
		scripts/guest --timeout 1200 --out "$BATS_FILE_TMPDIR/out" newest -- bash tests/lib/kernel.sh \
			>"$BATS_FILE_TMPDIR/said" 2>&1 || true
		grep -qx 'not moved' "$BATS_FILE_TMPDIR/said" || break
	done
}

bats_require_minimum_version 1.5.0

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	root=$PWD
	export PERFSTAMP_CACHE=${PERFSTAMP_CACHE:-$HOME/.cache/perfstamp}
	export HOME=$BATS_TEST_TMPDIR
	unset DEBUGINFOD_URLS
	cat "$BATS_FILE_TMPDIR/said"
	cd "$BATS_FILE_TMPDIR/out" || return
}

said() {
	grep -qx "$1" "$BATS_FILE_TMPDIR/said"
}

# The kernel's samples in what perf script printed.
kernel_samples() {
	grep '^ *ffff'
}

# What perf VERSION makes of the recording here, with the store STORE.
resolve() {
	"$root/scripts/perf" "$1" --buildid-dir "$BATS_FILE_TMPDIR/out/$2" script -i data \
		-F ip,sym,symoff 2>"$BATS_TEST_TMPDIR/stderr" | kernel_samples
}

# The same function for every sample, here and there. perf there goes on from a module's last
# function into what comes behind it; here it knows by the module's file how long that is, and
# such a sample is of a trampoline, or of nothing that is known.
same_functions() {
	kernel_samples <resolved >"$BATS_TEST_TMPDIR/there"
	resolve "$1" "$2" >"$BATS_TEST_TMPDIR/here"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/there")" -gt 500 ]
	[ "$(wc -l <"$BATS_TEST_TMPDIR/there")" -eq "$(wc -l <"$BATS_TEST_TMPDIR/here")" ]
	diff "$BATS_TEST_TMPDIR/there" "$BATS_TEST_TMPDIR/here" >"$BATS_TEST_TMPDIR/diff" || true
	cat "$BATS_TEST_TMPDIR/diff"
	named=$(grep "^>" "$BATS_TEST_TMPDIR/diff" | grep -Evc "(\[unknown\]|trampoline.*)$" || true)
	[ "$named" -eq 0 ]
	[ "$(grep -c '^>' "$BATS_TEST_TMPDIR/diff")" -le $((3 + $(wc -l <"$BATS_TEST_TMPDIR/here") / 500)) ]
}

@test "the guest's kernel was not where the image was linked to be" {
	said 'record: 0'
	[ -s text ] && [ "$(cat text)" != ffffffff81000000 ]
	run ! grep -q . record.err
}

@test "perf 6.1 finds the same functions here as there" { same_functions 6.1 store; }
@test "perf 6.12 finds the same functions here as there" { same_functions 6.12 store; }
@test "the newest perf finds the same functions here as there" { same_functions newest store; }

@test "without any module's file, too" {
	said 'bare: 0'
	run ! grep -q . bare.err
	[ -z "$(find bare -path '*/lib/*')" ]
	same_functions newest bare
	# Samples in a module were among them.
	grep -Eq ' (virt|vring_|detach_buf|ext4_|jbd2_|mb_cache_|__ext4_)' resolved
}

@test "each module is the running one, by its file" {
	local id name
	said 'compare: 0'
	[ "$(grep -c '\[' running)" -ge 4 ]
	grep -v '\[kernel.kallsyms\]\|^vmlinux' running >modules
	while read -r id name; do
		name=${name//[\[\]]/}
		echo "$id $name"
		[[ $(grep "^$id " listed) =~ /${name//_/[-_]}.ko(.xz)?$ ]]
		[ "$(readelf -n store/.build-id/"${id:0:2}"/"${id:2}"/elf | awk '/Build ID/ { print $3 }')" = "$id" ]
	done <modules
	grep -q '^equal: the kernel, and [1-9]' compared
}

@test "a module's file is found by its build-id, wherever and however it is kept" {
	local path name
	said 'moved: 0'
	for path in updates/dummy.ko.gz extra/loop.ko.zst extra/virtio-blk.ko; do
		name=${path##*/}
		name=${name%%.*}
		grep -xF "$(sed -n "s/ .*\[${name//-/_}\]$//p" running) /lib/modules/$(cat release)/$path" moved
	done
	# A file that was cut off is none.
	grep '\[crc32c_cryptoapi\]$' moved
}

@test "text that is in no map has a symbol from before: trampolines" {
	local addr name
	grep ' bpf_trampoline_' before
	while read -r addr name; do
		echo "$addr $name"
		grep -q "time=0.000000000 .* addr=0x$addr .* name=\"$name\"" symbols
	done <before
}

@test "hidden addresses are told, and leave the identity" {
	said 'hidden: 0'
	grep -q "cannot store the kernel's symbols in /out/hidden: its addresses are hidden" hidden.err
	grep -q 'samples in the kernel will have no symbols' hidden.err
	[ -z "$(find hidden -name kallsyms)" ]
	said 'hidden-compare: 0'
	grep -q '^equal: the kernel' hidden.compared
}
