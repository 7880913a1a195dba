#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest, as root, at the tree's root: files of an overlay's lower layer are mapped
# cold, and one is copied up with other content before user space can look at it; a third one
# was copied up before. Prints
# "NAME ID" for what the recording says of each, by rung; tests/guest/replaced.bats judges.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh
dir=/var/tmp/copied-up
trap identity__let_go EXIT
export AWAIT_SECONDS=600

modprobe overlay
mkdir -p $dir/{lower,upper,work,merged}
"$tools/elf_gen" plain 11111111 $dir/lower/changed plain 22222222 $dir/other \
	plain 33333333 $dir/lower/kept plain 44444444 $dir/lower/copied
mount -t overlay overlay -o lowerdir=$dir/lower,upperdir=$dir/upper,workdir=$dir/work $dir/merged
for rung in "$@"; do
	rm -f $dir/data
	touch -c $dir/merged/copied
	[ -e $dir/upper/copied ]
	"$perfstamp" record -q -a -e cpu-clock -F 99 -m 4M --map-ring-size 8M --rung "$rung" -o $dir/data &
	recorder=$!
	identity__settle $dir/data
	kill -STOP $recorder
	identity__hold -c mmap:$dir/merged/changed mmap:$dir/merged/{kept,copied}
	cp $dir/other $dir/merged/changed
	kill -CONT $recorder
	identity__settle $dir/data
	kill -INT $recorder
	wait $recorder || true
	identity__let_go
	"$perfstamp" list --json --path "$dir/merged/*" $dir/data |
		jq -r '"'"$rung"' \(.path | sub(".*/"; "")) \(.build_id // .reason)"'
	# For the next rung.
	umount $dir/merged
	rm -rf $dir/upper $dir/work
	mkdir $dir/upper $dir/work
	mount -t overlay overlay \
		-o lowerdir=$dir/lower,upperdir=$dir/upper,workdir=$dir/work $dir/merged
done
