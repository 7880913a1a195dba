#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In a guest: the selftests of kernel-patch/ where files are kept (ext4) and where not
# (tmpfs), and that the kernel has complained of nothing.
# Usage: tests/lib/kernel_records.sh DIR; DIR has the tests.
set -eu
tests=$(cd "$1" && pwd)
failed=0
for place in /out /tmp; do
	for test in mmap3 module_record; do
		echo "# $test in $place"
		(cd "$place" && "$tests/$test") || failed=1
	done
done
if dmesg | grep -E 'WARNING:|BUG:|Oops|possible recursive|suspicious RCU'; then
	echo "not ok: the kernel complains"
	failed=1
fi
exit $failed
