#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In a guest: the selftests of a series of kernel-patch/ where files are kept (ext4, and XFS and
# btrfs if the kernel has them) and where not (tmpfs), and that the kernel has complained of
# nothing.
# Usage: tests/lib/kernel_records.sh DIR; DIR has the tests.
set -eu
tests=$(cd "$1" && pwd)
failed=0
places='/out /tmp'
for fs in xfs btrfs; do
	grep -qw "$fs" /proc/filesystems || continue
	truncate -s 320M "/tmp/$fs.image"
	"mkfs.$fs" -q "/tmp/$fs.image"
	mkdir "/tmp/$fs"
	mount -o loop "/tmp/$fs.image" "/tmp/$fs"
	places="$places /tmp/$fs"
done
for place in $places; do
	for test in "$tests"/*; do
		echo "# ${test##*/} in $place"
		(cd "$place" && "$test") || failed=1
	done
done
if dmesg | grep -E 'WARNING:|BUG:|Oops|possible recursive|suspicious RCU'; then
	echo "not ok: the kernel complains"
	failed=1
fi
exit $failed
