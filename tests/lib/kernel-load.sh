#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Spends time in the kernel and in modules: a file system's, here ext4, is a module.
set -u
for _ in 1 2 3 4 5 6; do
	cat /proc/kallsyms >/dev/null
	find /usr -xdev -type f >/dev/null
	for i in $(seq 40); do echo "$i" >"/var/tmp/file$i"; done
	sync
	rm -f /var/tmp/file*
done
