#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs a command in a root that is a plain directory, as chroot(8) into an unpacked system gives
# it: / is no mount point there, and all that is in it is this machine's.
# Usage: tests/lib/plain_root.sh COMMAND [ARG...]
set -euo pipefail
dir=$(mktemp -d)
chmod 755 "$dir"
trap 'rmdir "$dir"/* "$dir" 2>/dev/null || rm -rf --one-file-system "$dir"' EXIT
# shellcheck disable=SC2016 # what the inner shell expands
unshare -m --propagation private bash -c '
	root=$0
	# What root is in comes first, while nothing is mounted there: else all of it would be there twice.
	for path in "/$(cut -d / -f 2 <<<"$root")" /*; do
		if mountpoint -q "$root$path"; then
			continue
		elif [ -L "$path" ]; then
			cp -P "$path" "$root$path"
		elif [ -d "$path" ]; then
			mkdir -p "$root$path" && mount --rbind "$path" "$root$path"
		fi
	done
	exec chroot "$root" bash -c "cd \"\$0\" && exec \"\$@\"" "$PWD" "$@"
' "$dir" "$@"
