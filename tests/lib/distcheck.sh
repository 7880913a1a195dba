#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Unpacks the tarball of a release into a new directory, where git must not be used, builds it,
# installs it below DESTDIR, runs it, and uninstalls it.
# Usage: tests/lib/distcheck.sh TARBALL
set -euo pipefail
tarball=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin"
printf '#!/bin/sh\necho "distcheck: git was called" >&2\nexit 1\n' >"$dir/bin/git"
chmod +x "$dir/bin/git"
export PATH=$dir/bin:$PATH

tar -xf "$tarball" -C "$dir"
cd "$dir"/perfstamp-*
make -s -j"$(nproc)" all
make -s install DESTDIR="$dir/root" PREFIX=/usr
"$dir/root/usr/bin/perfstamp" --version
"$dir/root/usr/bin/perfstamp" record -e cpu-clock -o "$dir/perf.data" -- true
"$dir/root/usr/bin/perfstamp" report -i "$dir/perf.data" | grep -v '^#' | head -n 3
make -s uninstall DESTDIR="$dir/root" PREFIX=/usr
left=$(find "$dir/root" ! -type d)
[ -z "$left" ] || {
	echo "distcheck: left by uninstall: $left" >&2
	exit 1
}
echo "distcheck: $(basename "$tarball") builds without git, runs and uninstalls"
