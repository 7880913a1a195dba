#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest, as root, at the tree's root: torture.sh KERNEL [RUNG...] records the
# torture set (torture_cases.sh) of the whole machine by these rungs, or all that this
# kernel has, warm and cold, and holds each recording against the oracle. It prints
#   KERNEL - release: RELEASE
#   KERNEL RUNG CASE warm|cold: IDS RIGHT WRONG FLAGGED(REASON=N,...)
#   KERNEL RUNG recording: status=... COUNTS ledger=same|differs
#   KERNEL RUNG ledger: ORACLE / CHECK   of a recording of which the oracle saw everything
# and before them, behind a "#", what was wrong.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh
# shellcheck source-path=SCRIPTDIR source=torture_cases.sh
. tests/lib/torture_cases.sh

kernel=$1
rungs=("${@:2}")
if [ $# -eq 1 ]; then
	case $(uname -m)/$kernel in
	*/5.10) rungs=(uprobe_mmap MMAP2) ;;
	aarch64/6.1) rungs=(kprobe uprobe_mmap sys_exit MMAP2) ;;
	aarch64/6.12*) rungs=(kprobe uprobe_mmap fentry sys_exit MMAP2) ;;
	*/6.1) rungs=(kprobe uprobe_mmap fentry sys_exit MMAP2) ;;
	*) rungs=(kprobe.multi kprobe uprobe_mmap fentry sys_exit MMAP2) ;;
	esac
fi
out=/tmp/out
export torture__seen=$out/seen
trap identity__let_go EXIT
export AWAIT_SECONDS=900

torture__settle() {
	identity__settle "$out/data"
}

# A recording's workload: first what is warm, of the whole machine, then what is cold.
scenes() {
	torture__play warm
	torture__settle
	"$tools/oracle" --all >>"$torture__seen"
	identity__let_go
	sync
	echo 3 >/proc/sys/vm/drop_caches
	torture__play cold
	torture__settle
	for pid in "${identity__holders[@]}"; do
		echo "$pid"
		cat "/proc/$pid/task"/*/children
	done | xargs "$tools/oracle" >>"$torture__seen"
	identity__let_go
}

# What check counts, in compare's words.
ledger_of() {
	# What it finds is its status.
	{ "$perfstamp" check --json "$1" || true; } | jq -r '
		"mappings=\(.mappings) build_id=\(.mappings_build_id) cookie=\(.mappings_cookie) " +
		"none=\(.mappings_none) " +
		([.build_id_by_source, .without_build_id_by_reason | to_entries[] |
			"\(.key)=\(.value)"] | sort | join(" "))'
}

# record RUNG: one recording of everything, and what is to be said of it.
record() {
	local rung=$1 status=0 ledger=differs check

	: >"$torture__seen"
	sync
	echo 3 >/proc/sys/vm/drop_caches
	torture__warm_up
	# The workload is a shell of its own, which has these functions.
	torture__native=$([[ $rung != MMAP[23] ]] || echo 1) timeout 1200 "$perfstamp" record -v -a \
		-e cpu-clock -F 99 -m 4M --map-ring-size 32M --rung "$rung" -o "$out/data" -- \
		bash -c ". tests/lib/identity.sh; . tests/lib/torture_cases.sh; out=$out
			$(declare -f scenes torture__settle); set -euo pipefail; scenes" \
		2>"$out/said" || status=$?
	torture__clean
	sed "s/^/# $rung: /" "$out/said"
	identity__compare "$out/data" "$torture__seen" "$out/cases" "$torture__disk/known" \
		>"$out/compared" || true
	sed -n "1,30{/^mappings=/!s/^/# $rung: /p}" "$out/compared"
	sed -n "s/^others /others@warm /; s/^\([^ @]*\)@\([a-z]*\) \([0-9]* [0-9]* [0-9]* [0-9]*\) \(.*\)/$kernel $rung \1 \2: \3(\4)/p" \
		"$out/cases"
	check=$(ledger_of "$out/data")
	if grep -qxF "ledger: $check" "$out/cases"; then
		ledger=same
	else
		echo "# $rung: $(grep '^ledger: ' "$out/cases")"
		echo "# $rung: check:  $check"
	fi
	echo "$kernel $rung recording: status=$status" \
		"$(sed -n 's/.*, \([0-9]*\) lost;.*/lost=\1/p; s/.* rung \([^;]*\);.*/rung=\1/p' \
			"$out/said" | xargs) ledger=$ledger $(tail -n 1 "$out/compared")"
}

# Whether the recorder has told once more of what it had told, since something was lost.
told_again() {
	! "$perfstamp" dump --header "$out/data" | grep -F 'text="snapshots: 0"' >/dev/null
}

# One process, of which all is seen: what it has mapped as a shell, and then as mapper.
record_one() {
	local rung=$1 server files

	mkfifo "$out/go" "$out/in" "$out/ready"
	mapfile -t files < <(identity__arguments "$torture__disk/ways" \
		mmap mprotect dlopen shared memfd tmpfile unlinked twice |
		grep -vE '/(version|class|data|cut-.*|filesz|phnum)$')
	# shellcheck disable=SC2016 # what the shell there is to expand
	bash -c 'echo >"$0/ready"; read -r _ <"$0/go"; exec "${@}" <>"$0/in" >"$0/ready"' "$out" \
		"$tools/mapper" "${files[@]}" "mmap:$torture__disk/last" &
	server=$!
	read -r _ <"$out/ready"
	"$tools/oracle" "$server" >"$out/all"
	# shellcheck disable=SC2016 # what the shell there is to expand
	timeout 900 "$perfstamp" record -e cpu-clock -F 999 -m 4M --map-ring-size 32M --rung "$rung" -o "$out/data" -p "$server" -- \
		bash -c 'echo >"$1/go"; read -r _ <"$1/ready"; "$2/oracle" "$3" >>"$1/all"
			. tests/lib/identity.sh
			await identity__knows "$1/data" "$5/last"
			await identity__has_read "$1/data"' \
		- "$out" "$tools" "$server" "$perfstamp" "$torture__disk" 2>"$out/said" ||
		sed 's/^/# /' "$out/said"
	kill "$server"
	rm "$out/go" "$out/in" "$out/ready"
}

# check must count what the oracle does. Where something was lost there are more records
# than mappings: that is what the other recording is for.
ledger() {
	local rung=$1 try oracle check

	for try in {1..10}; do
		record_one "$rung"
		told_again || break
		echo "# $rung: the snapshot was taken again (try $try)"
	done
	oracle=$(awk '
		$5 ~ /^\/\/anon|^\[/ { if ($4 == "-") none++; else ids++; next }
		$4 == "-" || length($4) > 40 { cookies++; next }
		{ ids++ }
		END { printf "mappings=%d build_id=%d cookie=%d none=%d", NR, ids, cookies, none }' \
		"$out/all")
	check=$(ledger_of "$out/data")
	[[ $check == "$oracle "* ]] || echo "# $rung: check:  $check"
	echo "$kernel $rung ledger: $oracle / $(cut -d' ' -f1-4 <<<"$check")"
}

mkdir -p "$out"
echo "$kernel - release: $(uname -r)"
torture__prepare
identity__make_odd "$torture__disk/ways"
"$tools/elf_gen" other-endian 6c617374 "$torture__disk/last"
await is_no_longer_young "$torture__disk/last"
for phase in warm cold; do
	torture__dir before $phase
	identity__hold -n 50 "${torture__some[@]/#/mmap:$dir/}"
done
for rung in "${rungs[@]}"; do
	record "$rung"
	ledger "$rung"
done
