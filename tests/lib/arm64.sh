#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest of arm64, as root, at the tree's root: arm64.sh RUNG... records the whole machine
# by each of these rungs while odd files are mapped in all ways, and holds the recording against
# the oracle. It prints "RUNG COUNTS", and leaves the recording, /out/RUNG, for the other machine;
# so it does with /out/tagged, of a tagged address, and /out/stacks, of a program without frame
# pointers that signs return addresses.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh
export AWAIT_SECONDS=300
odd=/var/tmp/odd

uname -m
getconf PAGESIZE
identity__make_odd "$odd"
cp "$odd/ids" /out/ids
# A page that was written in part is read from the disk first: it is larger than the disk's blocks.
sync
echo 3 >/proc/sys/vm/drop_caches
find "$odd" -type f -size -64M -exec cat {} + >/dev/null
await is_no_longer_young "$odd/ids"
for rung; do
	data=/out/$rung
	"$perfstamp" record -a -e cpu-clock -F 99 -m 4M --map-ring-size 8M --rung "$rung" -o "$data" -- \
		bash -c "set -euo pipefail; . tests/lib/identity.sh
		mapfile -t files < <(identity__arguments $odd mmap mprotect dlopen shared twice)
		identity__hold -n 2 \"\${files[@]}\"
		\"\$tools/oracle\" \"\${held[@]}\" >/tmp/oracle
		identity__settle $data
		identity__let_go" 2>"$data.said" || cat "$data.said"
	identity__compare "$data" /tmp/oracle >/tmp/compared || true
	grep -vE '^(mappings=|EXTRA)' /tmp/compared | head -n 20 || true
	echo "$rung $(tail -n 1 /tmp/compared)"
	rm -f "$data.json"
done

cat >/tmp/tagged.c <<'END'
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Makes its file executable by an address with a tag in the top byte. */
int main(int argc, char **argv)
{
	size_t size = sysconf(_SC_PAGESIZE);
	char *at = mmap(NULL, size, PROT_READ, MAP_PRIVATE, open(argv[argc - 1], O_RDONLY), 0);

	return mprotect((char *)((unsigned long)at | 0x5aul << 56), size, PROT_READ | PROT_EXEC) != 0;
}
END
gcc -o /tmp/tagged /tmp/tagged.c
"$perfstamp" record -q -e cpu-clock --rung sys_exit -o /out/tagged -- /tmp/tagged "$odd/plain"

gcc -O1 -fomit-frame-pointer -fno-builtin -mbranch-protection=standard -Wl,--build-id -o /out/program tests/lib/chain.c
await is_no_longer_young /out/program
# All of its first page: see docs/architectures.md.
sync
echo 3 >/proc/sys/vm/drop_caches
"$perfstamp" record -q -e cpu-clock:u -F 999 --call-graph dwarf -o /out/stacks -- /out/program
"$perfstamp" report --no-pager --folded /out/stacks | sed 's/^/stacks /'
grep -o -m1 -w paca /proc/cpuinfo || true
