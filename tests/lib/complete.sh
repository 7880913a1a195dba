#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest, as root, at the tree's root: records the whole machine on every rung
# while processes map files in all ways, and holds each recording against the oracle.
# Prints a line "NAME: COUNTS" for each recording, and what was wrong before it;
# tests/guest/complete.bats judges them.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh

# On a disk, where pages can be cold, and in memory.
disk=/var/tmp/identity memory=/tmp/identity out=/tmp/out
trap identity__let_go EXIT

# Libraries FROM to TO of the guest, to be mapped by WAY.
libraries() {
	local way=$1 from=$2 to=$3

	sed -n "${from},${to}s,^,$way:,p" "$out/libraries"
}

# record NAME WORKLOAD OPTION...: one recording of the whole machine, while the function
# WORKLOAD runs, which leaves what the oracle saw in $out/oracle.
record() {
	local name=$1 workload=$2 status=0
	shift 2

	: >"$out/oracle"
	# The workload is a shell of its own, which has these functions.
	timeout 100 "$perfstamp" record -v -a -e cpu-clock -F 99 -o "$out/data" "$@" -- \
		bash -c ". tests/lib/identity.sh; $(declare -f libraries "$workload")
			disk=$disk memory=$memory out=$out; set -euo pipefail; $workload" \
		2>"$out/said" || status=$?
	[ "$status" -eq 0 ] || sed 's/^/# /' "$out/said"
	identity__compare "$out/data" "$out/oracle" >"$out/compared" || true
	sed -n '1,20{/^mappings=/!s/^/# /p}' "$out/compared"
	echo "$name: status=$status rung=$(sed -n 's/.* rung \([^;]*\);.*/\1/p' "$out/said")" \
		"lost=$(sed -n 's/.*identified, \([0-9]*\) lost;.*/\1/p' "$out/said")" \
		"storm=$(grep -c '"path":"[^"]*/storm"' "$out/data.json")" \
		"$(tail -n 1 "$out/compared")"
}

# Processes that the recording finds are there already; here come those made meanwhile.
during() {
	mapfile -t files < <(libraries mmap 21 30)
	identity__hold -n 40 "${files[@]}"
	mapfile -t files < <(libraries mprotect 31 35)
	# Each by an exec of its own.
	for _ in 1 2 3 4 5 6 7 8 9 10; do identity__hold "${files[@]}"; done
	mapfile -t files < <(identity__arguments "$memory" \
		dlopen mmap mprotect shared memfd tmpfile unlinked twice)
	identity__hold -n 2 "${files[@]}"
	"$tools/oracle" --all >"$out/oracle"
	identity__settle "$out/data"
	identity__let_go
}

# What nobody has touched since its pages were dropped.
cold() {
	mapfile -t files < <(identity__arguments "$disk" mmap)
	mapfile -t -O "${#files[@]}" files < <(libraries mmap 100 220)
	sync
	echo 3 >/proc/sys/vm/drop_caches
	identity__hold "${files[@]}"
	"$tools/oracle" "${held[@]}" >"$out/oracle"
	identity__settle "$out/data"
	identity__let_go
}

# Many processes that are gone before anybody can look, on cold pages and warm ones.
brief() {
	mapfile -t files < <(identity__arguments "$disk" mmap)
	sync
	echo 3 >/proc/sys/vm/drop_caches
	"$tools/mapper" -n 2 -r 4 -t 1 "${files[@]}" >/dev/null
	"$tools/mapper" -n 2 -r 4 -t 1 "${files[@]}" >/dev/null
}

# Some that stay, and a storm of short-lived ones: one mapping of the file each.
storm() {
	mapfile -t files < <(identity__arguments "$memory" \
		dlopen mmap mprotect shared memfd tmpfile unlinked twice)
	identity__hold -n 2 "${files[@]}"
	"$tools/mapper" -n 4 -r 200 -t 1 "mmap:$memory/storm" >/dev/null
	"$tools/oracle" "${held[@]}" >"$out/oracle"
	identity__settle "$out/data"
	identity__let_go
}

# The kernel's own parser finds ids where libelf finds none: in files of an unknown
# version, class or byte order, and beyond the end of one that was cut.
storm_native() {
	mapfile -t files < <(identity__arguments "$memory" \
		dlopen mmap mprotect shared memfd tmpfile unlinked twice |
		grep -vE '/(version|class|data|cut-.*|filesz|phnum)$')
	identity__hold -n 2 "${files[@]}"
	"$tools/mapper" -n 4 -r 200 -t 1 "mmap:$memory/storm" >/dev/null
	"$tools/oracle" "${held[@]}" >"$out/oracle"
	identity__settle "$out/data"
	identity__let_go
}

# Of each known file, the id that list tells is the right one, or there is none and a
# reason: "right", "reason" or "WRONG".
judge_list() {
	"$perfstamp" list --json --path "$disk/*" "$out/data" |
		jq -r '[.path, .build_id // "-", .reason // "-"] | @tsv' |
		awk -v ids="$disk/ids" '
			BEGIN { while ((getline line < ids) > 0) { split(line, f, " "); id[f[1]] = f[2] } }
			$2 == id[$1] { right++; next }
			$2 == "-" && $3 != "-" { reason++; next }
			{ print "# WRONG " $0; wrong++ }
			END { print "right=" right + 0, "reason=" reason + 0, "wrong=" wrong + 0 }'
}

mkdir -p "$out"
find /usr/lib -xdev -name '*.so*' -type f | sort >"$out/libraries"
identity__make_odd "$disk"
identity__make_odd "$memory"
cp "$memory/id-8" "$memory/storm"

mapfile -t before < <(libraries mmap 1 20)
identity__hold -n 55 "${before[@]}"
mapfile -t before < <(identity__arguments "$disk" mmap dlopen twice unlinked)
identity__hold -n 1 "${before[@]}"
record whole during
identity__let_go
record cold cold
record brief brief
judged=$(judge_list)
sed '$d' <<<"$judged"
echo "brief-list: $(tail -n 1 <<<"$judged")"
for rung in kprobe fentry sys_exit; do record "$rung" storm --rung "$rung"; done
record MMAP2 storm_native --rung MMAP2
