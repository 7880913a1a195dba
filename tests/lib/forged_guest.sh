#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest, as root, at the tree's root: records the whole machine while files whose identity
# is known get another content in ways that are to be overlooked (tests/tools/forge.c), by root
# and by an unprivileged user who owns them. Prints what was there and what was recorded:
#   FS USER WAY: KNOWN HAS RECORDED   or   FS USER WAY: refused WHY
# where KNOWN is the source of the record before (stash: it was known), and HAS and RECORDED are
# first, second or other: which content the file had when it was mapped last, and which one its
# record is of. A reason instead of an identity is printed as it is.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh
# shellcheck source-path=SCRIPTDIR source=stash.sh
. tests/lib/stash.sh
export AWAIT_SECONDS=900
export out=/tmp/forged image=/var/tmp/forged.ext4
# The last by itself: once the clock was set, nothing is known any more.
ways=(clone direct exchange collapse rename reuse clock)
mkdir -p "$out"
stash__contents "$out"

# A disk that is no file: of these nothing is kept.
modprobe loop
modprobe brd rd_nr=1 rd_size=327680
mkfs.xfs -q -f /dev/ram0
truncate -s 32M $image
mkfs.ext4 -q $image
mkdir -p /mnt/xfs /mnt/beneath /mnt/overlay /var/tmp/forged
mount -t xfs /dev/ram0 /mnt/xfs
mount -o loop $image /mnt/beneath

# FS USER WAY FILE, a line each.
list() {
	local fs dir user way

	while read -r fs dir; do
		for user in root plain; do
			mkdir -p "$dir/$user"
			for way in "${ways[@]}"; do
				# Root may do so, and it is not seen: docs/security.md, "What is not promised".
				if [ $user = root ] && [ "$way" = exchange ]; then continue; fi
				echo "$fs $user $way $dir/$user/$way"
			done
			if [ $user = plain ]; then chown 65534:65534 "$dir/$user"; fi
		done
	done <<-END
		ext4 /var/tmp/forged
		xfs /mnt/xfs
	END
	echo "ext4 root beneath /mnt/beneath/file"
	echo "overlay root lower /mnt/overlay/file"
}
list >"$out/list"
while read -r _ user way file; do
	if [ "$way" = lower ]; then
		mkdir -p /var/tmp/{lower,upper,work}
		cp "$out/A" /var/tmp/lower/file
		mount -t overlay -o lowerdir=/var/tmp/lower,upperdir=/var/tmp/upper,workdir=/var/tmp/work overlay /mnt/overlay
		continue
	fi
	cp "$out/A" "$file"
	cp "$out/B" "$file.other"
	if [ "$user" = plain ]; then chown 65534:65534 "$file" "$file.other"; fi
done <"$out/list"
grep ' clock ' "$out/list" >"$out/list.clock"
grep -v ' clock ' "$out/list" >"$out/list.others"

# Which content the file has now.
content() {
	if cmp -s "$1" "$out/A"; then
		echo first
	elif cmp -s "$1" "$out/B"; then
		echo second
	else
		echo other
	fi
}

# all_are_known FILE...: those of root on disks.
all_are_known() {
	cat "$@" >/dev/null
	stash__map "$@"
	identity__settle "$out/data"
	[[ $(stash__last "$out/data" "$1") == *" stash" ]]
}

# forge_all LIST: that of these.
forge_all() {
	local list=$out/list.$1 fs user way file as files=()

	mapfile -t files < <(awk '{ print $4 }' "$list")
	await all_are_known "${files[@]}"
	"$perfstamp" dump --json "$out/data" 2>/dev/null | grep '"type":"MMAP2"' >"$list.before"
	while read -r fs user way file; do
		as=()
		[ "$user" = root ] || as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
		case $way in
		beneath) set -- "$file" $image "$out/B" ;;
		*) set -- "$file" "$file.other" ;;
		esac
		if [ "$way" = lower ]; then
			# Beneath the overlay, which does not notice.
			dd if="$out/B" of=/var/tmp/lower/file conv=notrunc status=none
		elif ! "${as[@]}" "$tools/forge" "$way" "$@" >"$out/said" 2>&1 </dev/null; then
			echo "$fs $user $way: refused $(cat "$out/said")" >>"$out/refused"
		fi
	done <"$list"
	sync
	echo 3 >/proc/sys/vm/drop_caches
	identity__hold "${files[@]/#/mmap:}"
	identity__settle "$out/data"
	while read -r fs user way file; do
		echo "$fs $user $way $file $(content "$file")"
	done <"$list" >"$list.has"
	identity__let_go
}
export -f content all_are_known forge_all

: >"$out/refused"
# shellcheck disable=SC2016 # what the shell there is to expand
timeout 900 "$perfstamp" record -v -a -e dummy -m 1M --map-ring-size 16M -o "$out/data" -- \
	bash -c 'set -euo pipefail; . tests/lib/identity.sh; . tests/lib/stash.sh; forge_all others; forge_all clock' \
	2>"$out/record" || sed 's/^/# /' "$out/record"
sed -n 's/.* rung \([^;]*\);.*/rung: \1/p' "$out/record"
"$perfstamp" dump --json "$out/data" | grep '"type":"MMAP2"' >"$out/maps"

# Of the last record of the file: "ID-OR-REASON SOURCE".
last() {
	jq -r --arg path "$2" 'select(.path == $path) | "\(.build_id // .reason) \(.source)"' "$1" | tail -n 1
}

cat "$out"/list.*.has >"$out/has"
while read -r fs user way file has; do
	earlier=$out/list.others.before
	[ "$way" != clock ] || earlier=$out/list.clock.before
	if grep "^$fs $user $way: " "$out/refused"; then continue; fi
	read -r _ known < <(last "$earlier" "$file")
	read -r recorded _ < <(last "$out/maps" "$file")
	case $recorded in
	"$stash__a") recorded=first ;;
	"$stash__b") recorded=second ;;
	esac
	echo "$fs $user $way: $known $has $recorded"
done <"$out/has"
