#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest, as root, at the tree's root: hidden_guest.sh [RUNG...] records the whole machine
# by these rungs while an unprivileged user, and root of a user namespace, try to map code that no
# recording has (tests/tools/hide.c). Prints what there was and what was recorded:
#   RUNG USER WAY: MADE RECORDED   or   RUNG USER WAY: refused
#   RUNG recording: RUNG-THAT-WAS-USED MISSING LOST UNMAPPED STATUS
# where MISSING is the sum of what was not recorded, LOST what the recording says itself to have
# lost, and UNMAPPED the number of samples in code of which nothing is recorded.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh

out=/tmp/hidden
mkdir -p "$out"
chmod 755 "$out"
times=100
mapfile -t ways < <("$tools/hide" -l)
cp "$tools/hide" "$out/hide"
modprobe fuse 2>/dev/null || true
sysctl -q kernel.unprivileged_userns_clone=1 2>/dev/null || true
sysctl -q vm.unprivileged_userfaultfd=1 2>/dev/null || true

# Two pages, so that a part can be mapped elsewhere, in a directory that mounts may cover.
n=0
for user in plain root; do
	mkdir -p "$out/$user"
	chmod 755 "$out/$user"
	for way in "${ways[@]}"; do
		n=$((n + 1))
		printf -v id '%08x' "$((n + 0xa0000000))"{,,,}{,}
		"$tools/elf_gen" plain "${id:0:40}" "$out/$user/$way"
		truncate -s 8192 "$out/$user/$way"
		chmod 755 "$out/$user/$way"
		echo "$user $way ${id:0:40}" >>"$out/ids"
	done
done
await is_no_longer_young "$out/root/${ways[-1]}"
cat "$out"/{plain,root}/* >/dev/null

# The root of a container as users make it: all capabilities, in namespaces of its own.
attack() {
	local as=(setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs) user way

	for user in plain root; do
		[ $user = plain ] || as+=(unshare --user --map-root-user --mount --pid --fork --ipc --uts)
		for way in "${ways[@]}"; do
			echo "$user $("${as[@]}" "$out/hide" "$way" "$out/$user/$way" "$times" 2>&1 | tr '\n' ' ')"
		done
	done
}
export out times
export -f attack

# recorded ID: how many records have it.
recorded() {
	grep -c -F "\"build_id\":\"$1\"" "$out/maps" || true
}

record() {
	local rung=$1 status=0 missing=0 user way id made seen

	# shellcheck disable=SC2016 # what the shell there is to expand
	timeout 900 "$perfstamp" record -v -a -e cpu-clock -F 49 -m 4M --map-ring-size 32M --rung "$rung" -o "$out/data" -- \
		bash -c 'ways=('"${ways[*]@Q}"'); attack >"$out/attacks"' 2>"$out/said" || status=$?
	sed "s/^/# $rung: /" "$out/said"
	"$perfstamp" dump --json "$out/data" | grep '"type":"MMAP2"' | grep -vF '"snapshot":true' >"$out/maps" || true
	while read -r user way id; do
		made=$(sed -n "s/^$user $way: \([0-9-]*\) *\$/\1/p" "$out/attacks")
		case $way in
		# Without an id; both users have these names.
		unanswered | shared-code) seen=$(($(grep -c "\"path\":\"/memfd:$way" "$out/maps") / 2)) || true ;;
		ipc-shmat) seen=$(($(grep -c '"path":"/SYSV6901' "$out/maps") / 2)) || true ;;
		ipc-shmat-nowhere) seen=$(($(grep -c '"path":"/SYSV6902' "$out/maps") / 2)) || true ;;
		io_uring) seen=$(($(grep -c '"path":"[^"]*\[io_uring\]"' "$out/maps") / 2)) || true ;;
		*) seen=$(recorded "$id") ;;
		esac
		case $made in
		-) echo "$rung $user $way: refused" ;;
		'') echo "$rung $user $way: failed: $(grep "^$user " "$out/attacks" | grep -F "$way" | tail -n 1)" ;;
		*)
			echo "$rung $user $way: $made $seen"
			[ "$seen" -ge "$made" ] || missing=$((missing + made - seen))
			;;
		esac
	done <"$out/ids"
	echo "$rung recording: $(sed -n 's/.* rung \([^;]*\);.*/\1/p' "$out/said" | head -n 1) $missing" \
		"$(sed -n 's/.*, \([0-9]*\) lost;.*/\1/p' "$out/said")" \
		"$("$perfstamp" check --json "$out/data" | jq .samples_user_unmapped) $status"
}

for rung in "$@"; do record "$rung"; done
