#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What tests/guest/kernel.bats asks of one guest: runs in it, and leaves what the host looks
# at in /out. Says what it saw by lines of "NAME: VALUE".
set -u
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
root=$PWD
perfstamp=$(realpath "${OUTPUT:-.output}")/perfstamp
cd /out || exit
# shellcheck source-path=SCRIPTDIR source=await.sh
. "$root/tests/lib/await.sh"
export AWAIT_SECONDS=600

say() {
	printf '%s: %s\n' "$1" "$2"
}

# Time in the kernel, and in modules: the disk's driver is one.
load() {
	for _ in 1 2; do
		cat /proc/kallsyms >/dev/null
		find /usr -xdev -name 'x*' >/dev/null
		for i in $(seq 40); do echo "$i" >"/var/tmp/file$i"; done
		sync
		rm -f /var/tmp/file*
		echo 3 >/proc/sys/vm/drop_caches
	done
}
export -f load

uname -r >release
awk '$3 == "_text" || $3 == "_stext" { print $1 }' /proc/kallsyms | sort | head -n 1 >text
# By chance it is where it was linked to be, which would show nothing: the host boots again.
if [ "$(cat text)" = ffffffff81000000 ]; then
	echo "not moved"
	exit
fi
modprobe dummy
modprobe loop
"$perfstamp" kernel >running
"$perfstamp" record -q -a -e cpu-clock -F 1000 -m 8M --map-ring-size 8M --capture-kernel --buildid-dir /out/store \
	-o data -- bash -c load 2>record.err
say record "$?"
"$root/scripts/perf" newest script -i data -F ip,sym,symoff >resolved 2>script.err
"$perfstamp" kernel data >recorded
"$perfstamp" kernel --running data >compared
say compare "$?"

# The modules' files.
"$perfstamp" list --kernel data >listed

# Text that is in no map, made before the recording: another recorder's trampolines.
"$perfstamp" record -q -a -e cpu-clock -F 10 --rung fentry -o /tmp/other -- sleep 100000 &
other=$!
await grep -q ' bpf_trampoline_[0-9].*\[bpf\]' /proc/kallsyms
awk '$4 ~ /^\[(bpf|__builtin_)/ && $3 !~ /^bpf_prog_/ { print $1, $3 }' /proc/kallsyms >before
"$perfstamp" record -q -e cpu-clock --rung MMAP2 -o /tmp/data -- true
"$perfstamp" dump /tmp/data | grep '^KSYMBOL' >symbols
kill "$other"
wait "$other"

# Files that are elsewhere, or not what their names say: other builds at the usual place, the
# right ones compressed in each way, in updates, in extra, with - for _; and what unpacks to
# more than any module has. modules.dep leads to the wrong ones.
from=$(mktemp -d)
for module in dummy loop virtio_blk crc32c_cryptoapi; do
	xz -dc "$(modinfo -n "$module")" >"$from/$module.ko"
done
release=$(uname -r)
mount -t tmpfs none /lib/modules
(
	mkdir -p "/lib/modules/$release"/{kernel,updates,extra}
	cd "/lib/modules/$release" || exit
	xz -c "$from/loop.ko" >kernel/dummy.ko.xz
	gzip -c "$from/dummy.ko" >updates/dummy.ko.gz
	head -c 300M /dev/zero | gzip -1 >kernel/loop.ko.gz
	head -c 1000 kernel/loop.ko.gz >updates/loop.ko.gz
	zstd -q "$from/loop.ko" -o extra/loop.ko.zst
	cp "$from/virtio_blk.ko" extra/virtio-blk.ko
	head -c 3000 "$from/crc32c_cryptoapi.ko" >updates/crc32c-cryptoapi.ko
	printf '%s:\n' kernel/dummy.ko.xz kernel/loop.ko.gz kernel/virtio_blk.ko >modules.dep
)
"$perfstamp" record -q -e cpu-clock --rung MMAP2 -o /tmp/data -- true 2>moved.err
say moved "$?"
"$perfstamp" list --kernel /tmp/data >moved
umount /lib/modules

# No file has a module's build-id any more: its symbols are kept, without it.
mount -t tmpfs none /lib/modules
"$perfstamp" record -q -e cpu-clock --rung MMAP2 --capture-kernel --buildid-dir /out/bare -o /tmp/data -- true 2>bare.err
say bare "$?"
umount /lib/modules

# Addresses that are hidden: told, and nothing is kept that is of no use.
echo 2 >/proc/sys/kernel/kptr_restrict
"$perfstamp" record -e cpu-clock --rung MMAP2 --capture-kernel --buildid-dir /out/hidden -o /tmp/data -- true 2>hidden.err
say hidden "$?"
"$perfstamp" kernel --running /tmp/data >hidden.compared
say hidden-compare "$?"
echo 0 >/proc/sys/kernel/kptr_restrict
