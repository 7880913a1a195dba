# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Helpers of the tests of identities: odd files with known ids, processes that hold them
# mapped, and a recording held against the oracle. Sourced at the tree's root, by bats
# here and by scripts in guests.

# shellcheck source-path=SCRIPTDIR source=await.sh
. tests/lib/await.sh
# shellcheck source-path=SCRIPTDIR source=memory.sh
. tests/lib/memory.sh
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
	local pid said tries=3000

	[ -n "${identity__nothing-}" ] || identity__pipe identity__nothing
	# One of its own: the children of the one before still have that one's.
	identity__pipe said
	# What it reads from never says anything, and never ends.
	"${identity__through[@]}" "$tools/mapper" "$@" <&"$identity__nothing" >&"$said" 3>&- &
	pid=$!
	identity__holders+=("$pid")
	held=()
	# Read when it is there: a read whose time is up in the midst of a line loses the begin.
	until read -r -t 0 -u "$said" || [ $((tries -= 1)) -eq 0 ]; do
		kill -0 "$pid" 2>/dev/null || break
		read -r -t 0.2 -u "$identity__nothing" || true
	done
	if read -r -t 0 -u "$said"; then read -r -u "$said" -a held; fi
	exec {said}>&-
	[ "${held[0]-}" = ready ] || { printf 'mapper %.300s: failed\n' "$*" >&2 && return 1; }
	# Without children it names itself.
	if [ "${held[1]}" = "$pid" ]; then held=("$pid"); else held[0]=$pid; fi
}

# Opens a pipe for reading and writing, with the descriptor in the variable NAME.
identity__pipe() {
	local fifo

	fifo=$(mktemp -u "${TMPDIR:-/tmp}/identity.XXXXXXXX")
	mkfifo "$fifo"
	eval "exec {$1}<>\"\$fifo\""
	rm "$fifo"
}

# Waits until the recording that goes on in FILE has come to what is mapped now, and what is
# read in user space of that has been read. What is held until then can be completed, however
# slow the machine. Leaves the array held as it is.
identity__settle() {
	local marker=/var/tmp/marker.$BASHPID before=("${held[@]}")

	# Of another inode each time, and one that user space reads: of another byte order.
	rm -f "$marker"
	"$tools/elf_gen" other-endian 4d61726b6572 "$marker"
	await is_no_longer_young "$marker"
	identity__hold "mmap:$marker"
	held=("${before[@]}")
	await identity__knows "$1" "$marker"
	identity__let_newest_go
	rm -f "$marker"
	await identity__has_read "$1"
}

# Whether unfinished recording FILE has the id of PATH. It may read as a damaged one.
identity__knows() {
	"$perfstamp" list --json --path "$2" "$1" 2>/dev/null | grep '"build_id":"' >/dev/null
}

# Whether the processes that read for the recorder of FILE wait for more to do, which they get
# in the order in which it was mapped: in recvfrom(2), by its number here. A process that was just
# started has a request already, and the recorder's name still.
identity__has_read() {
	local reader call

	for reader in $(pgrep -x 'perfstamp|perfstamp-read'); do
		identity__reads_for "$reader" "$1" || continue
		read -r call _ <"/proc/$reader/syscall" || continue
		case $call in 45 | 207) ;; *) return 1 ;; esac
	done 2>/dev/null
}

identity__reads_for() {
	local parent fd

	parent=$(ps -o ppid= -p "$1")
	for fd in /proc/"${parent// /}"/fd/*; do
		if [ "$fd" -ef "$2" ]; then return; fi
	done
	return 1
}

identity__let_go() {
	local pid

	for pid in "${identity__holders[@]}"; do
		kill "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	done
	identity__holders=()
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
