# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# A directory whose files are in memory, and can be run. Sourced by helpers of bats files.

# Sets memory. Containers have a /dev/shm from which nothing can be run.
memory__make() {
	memory=$(mktemp -d /dev/shm/perfstamp.XXXXXX)
	if findmnt -n -o OPTIONS -T "$memory" | grep -qw noexec; then
		mount -t tmpfs perfstamp "$memory"
	fi
}

memory__remove() {
	[ -n "${memory-}" ] || return 0
	! mountpoint -q "$memory" || umount -l "$memory"
	rm -rf "$memory"
}
