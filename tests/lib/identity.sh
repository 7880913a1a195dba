# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Helpers of the tests of identities: odd files with known ids, processes that hold them
# mapped, and a recording held against the oracle. Sourced at the tree's root, by bats
# here and by scripts in guests.

tools=${OUTPUT:-.output}/tools
perfstamp=${OUTPUT:-.output}/perfstamp
declare -a identity__holders=() held=()
# What mapper is started by: a program with arguments, or nothing.
declare -a identity__through=()

# Puts a file of each kind, and ids of odd lengths, into DIR; no two ids are the same.
# DIR/ids has "FILE ID" of each, as it was asked for.
identity__make_odd() {
	local dir=$1 kind id way n=0 size specs=()

	mkdir -p "$dir"
	: >"$dir/ids"
	while IFS=$'\t' read -r kind way _; do
		n=$((n + 1))
		printf -v id '%08x' "$n" "$n" "$n" "$n" "$n"
		specs+=("$kind" "$id" "$dir/$kind")
		echo "$dir/$kind $id" >>"$dir/ids"
	done < <("$tools/elf_gen" --list)
	for size in 1 2 8 16 19 21 64; do
		printf -v id 'e%127s' ''
		id=${id// /e}
		id=${id:0:$((2 * size))}
		specs+=(plain "$id" "$dir/id-$size")
		echo "$dir/id-$size $id" >>"$dir/ids"
	done
	printf -v id '%040d' 0
	specs+=(plain "$id" "$dir/id-zeros" plain - "$dir/id-none")
	echo "$dir/id-zeros $id" >>"$dir/ids"
	"$tools/elf_gen" "${specs[@]}"
}

# Prints what makes mapper map all files of DIR, in its WAYs by turns.
identity__arguments() {
	local dir=$1 kind way
	local -a ways=("${@:2}")
	local -A dlopen=()
	local n=0

	while IFS=$'\t' read -r kind way _; do
		if [ "$way" = dlopen ]; then dlopen[$dir/$kind]=1; fi
	done < <("$tools/elf_gen" --list)
	while read -r file _; do
		way=${ways[n % ${#ways[@]}]}
		n=$((n + 1))
		if [ "$way" = dlopen ] && [ -z "${dlopen[$file]-}" ]; then way=mmap; fi
		# Not to be copied: it is large, though sparse.
		if [ "${file##*/}" = far-4g ]; then way=mmap; fi
		echo "$way:$file"
	done <"$dir/ids"
}

# Starts mapper with these arguments and waits until all is mapped. Its processes'
# numbers, its own first, are in the array held.
identity__hold() {
	local pid

	if [ "${identity__fifo_of-}" != $BASHPID ]; then
		identity__fifo_of=$BASHPID
		identity__fifo=${TMPDIR:-/tmp}/identity.$BASHPID
		rm -f "$identity__fifo" "$identity__fifo.in"
		mkfifo "$identity__fifo" "$identity__fifo.in"
	fi
	# Open for writing too: it never ends. What it writes to it closes when it is ready.
	"${identity__through[@]}" "$tools/mapper" "$@" <>"$identity__fifo.in" >"$identity__fifo" 3>&- &
	pid=$!
	identity__holders+=("$pid")
	held=()
	read -r -a held <"$identity__fifo" || true
	[ "${held[0]-}" = ready ] || { printf 'mapper %.300s: failed\n' "$*" >&2 && return 1; }
	# Without children it names itself.
	if [ "${held[1]}" = "$pid" ]; then held=("$pid"); else held[0]=$pid; fi
}

# Waits until the recording that goes on in FILE has come to what is mapped now, and has
# the identities of what is read later, which come in the same order. What is held until
# then can be completed, however slow the machine. Leaves the array held as it is.
identity__settle() {
	local marker=/var/tmp/marker.$$ before=("${held[@]}") found

	# Of another inode each time, and not in memory where that is a disk.
	rm -f "$marker"
	echo marker >"$marker"
	identity__hold -c "mmap:$marker"
	held=("${before[@]}")
	for _ in {1..200}; do
		# An unfinished recording may read as a damaged one.
		found=$("$perfstamp" list --json --path "$marker" "$1" 2>/dev/null || true)
		case $found in
		*'"cookie"'*) break ;;
		esac
		sleep 0.1
	done
	identity__let_newest_go
	rm -f "$marker"
	[ -n "$found" ] || { echo "recording $1 does not come to what is mapped" >&2 && return 1; }
}

identity__let_go() {
	local pid

	for pid in "${identity__holders[@]}"; do
		kill "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	done
	identity__holders=()
	if [ "${identity__fifo_of-}" = $BASHPID ]; then
		rm -f "$identity__fifo" "$identity__fifo.in"
		identity__fifo_of=
	fi
}

# The one that was started last.
identity__let_newest_go() {
	kill "${identity__holders[-1]}"
	wait "${identity__holders[-1]}" || true
	unset 'identity__holders[-1]'
}

# Prints the lines of compare: what is wrong in recording FILE against ORACLE's output,
# and the counts. Its status. More arguments are compare's.
identity__compare() {
	"$perfstamp" dump --json "$1" | grep -v '^{"type":"SAMPLE"' >"$1.json"
	"$tools/compare" "$1.json" "${@:2}"
}

# The value of KEY in compare's last line, which is in LINE.
identity__count() {
	local rest=" $2 "

	rest=${rest##* "$1"=}
	echo "${rest%% *}"
}
