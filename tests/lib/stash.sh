# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Helpers of the tests of the stash: files that are rewritten while they are mapped, and
# files whose pages are gone. Sourced at the tree's root behind identity.sh, by bats here
# and by stash-guest.sh in guests.

tools=${tools?} perfstamp=${perfstamp?}
stash__a=0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a
stash__b=b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1

# Puts two contents of one size into DIR, as DIR/A and DIR/B.
stash__contents() {
	mkdir -p "$1"
	"$tools/elf_gen" plain "$stash__a" "$1/A" plain "$stash__b" "$1/B"
	truncate -s 12288 "$1/A" "$1/B"
}

# Whether the files in DIR are on a file system whose identities are kept.
stash__is_for() {
	case $(stat -f -c %T "$1") in
	ext2/ext3 | xfs | f2fs | overlayfs) ;;
	*) return 1 ;;
	esac
}

# stash__rewrite [-r | -k] DIR SECONDS HOW...: the workload, which rewrites DIR/HOW for each HOW at
# once, SECONDS long; with -r what is to be known later is in memory, with -k each mapping is
# there for a moment. Logs to DIR/HOW.log.
stash__rewrite() {
	local option=() dir seconds how pids=()

	[[ $1 != -* ]] || { option=("$1") && shift; }
	dir=$1 seconds=$2
	for how in "${@:3}"; do
		"$tools/rewrite" "${option[@]}" "$how" "$dir/$how" "$dir/A" "$dir/B" "$seconds" \
			>"$dir/$how.log" &
		pids+=($!)
	done
	wait "${pids[@]}"
}

# Has the pages of FILE... dropped by the command DROP, until it is killed, and lets what reads
# for the recorder, whose workload this is, come late.
stash__drop() {
	local drop=$1 readers=''

	shift
	# shellcheck disable=SC2064,SC2086 # several, those of then
	trap 'kill -CONT $readers; exit' TERM
	while :; do
		readers=$(pgrep -P "$PPID" -x perfstamp-read) || true
		# shellcheck disable=SC2086 # several
		kill -STOP $readers || true
		"$drop" "$@" || true
		sleep 0.06
		# shellcheck disable=SC2086 # several
		kill -CONT $readers || true
		sleep 0.02
	done 2>/dev/null
}

# Judges what recording FILE says of each HOW in DIR: prints "HOW: COUNTS", and what is
# wrong before it.
stash__judge() {
	local dir=$2 how whole

	"$perfstamp" dump --json "$1" | grep '"MMAP2"' >"$dir/dump"
	for how in "${@:3}"; do
		whole=
		# The new file has all its content before it is at the path.
		[ "$how" != rename ] || whole=-w
		"$tools/judge" ${whole:+"$whole"} "$dir/A" "$stash__a" "$dir/B" "$stash__b" \
			"$dir/$how" "$dir/$how.log" <"$dir/dump" >"$dir/$how.judged" || true
		sed -n '1,3{/^maps=/!s/^/# /p}' "$dir/$how.judged"
		echo "$how: $(tail -n 1 "$dir/$how.judged")"
	done
}

# Maps FILE... for a moment.
stash__map() {
	"$tools/mapper" -r 1 -t 1 "${@/#/mmap:}" >/dev/null
}

# Whether recording FILE, which goes on, has PATH served from what is known, once it was mapped
# once more. Known is what was read in the kernel, which reads what is in memory.
stash__serves() {
	cat "$2" >/dev/null
	stash__map "$2"
	identity__settle "$1"
	[[ $(stash__last "$1" "$2") == *" stash" ]]
}

# The workload: maps files in DIR until they are known for sure, has their pages dropped by the
# command DROP, and then holds them mapped until recording FILE has
# come to them. DIR/known stays as it is, DIR/changed gets the other content, and DIR/once
# has been mapped once.
stash__evict() {
	local dir=$1 file=$2 drop=$3

	for name in known changed; do cp "$dir/A" "$dir/$name"; done
	await stash__serves "$file" "$dir/known"
	await stash__serves "$file" "$dir/changed"
	# One whose content has been there for a minute would be known at once.
	cp "$dir/A" "$dir/once"
	stash__map "$dir/once"
	dd if="$dir/B" of="$dir/changed" conv=notrunc status=none
	"$drop" "$dir/known" "$dir/changed" "$dir/once"
	identity__hold "mmap:$dir/known" "mmap:$dir/changed" "mmap:$dir/once"
	identity__settle "$file"
	identity__let_go
}

# Of the last mapping of PATH in recording FILE: "BUILD-ID SOURCE", and " -" if it has no cookie.
stash__last() {
	"$perfstamp" dump --json "$1" 2>/dev/null |
		jq -r --arg path "$2" 'select(.type == "MMAP2" and .path == $path) |
			"\(.build_id) \(.source)" + (if .cookie then "" else " -" end)' |
		tail -n 1
}
