#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest, as root, at the tree's root: kernel_cold.sh [PERF-VERSION]. A stock perf
# records the torture set (torture_cases.sh) with build-ids, warm and cold, and then programs
# and libraries of the guest after the caches were dropped. Prints
#   CASE warm|cold: MAPPINGS WITH-ID WRONG
#   TOTAL warm|cold: the sums
#   PROGRAMS: MAPPINGS WITH-ID
# Counted are executable mappings of files that are known to have an id. Wrong are ids
# other than the known one, where a path has one content.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh
# shellcheck source-path=SCRIPTDIR source=torture_cases.sh
. tests/lib/torture_cases.sh

perf=(scripts/perf "${1:-newest}")
out=/tmp/out
mkdir -p "$out"
export torture__seen=$out/seen
trap identity__let_go EXIT
export AWAIT_SECONDS=900

# The kernel writes a record before mmap() returns: there is nothing to wait for.
torture__settle() { :; }

scenes() {
	torture__play warm
	identity__let_go
	sync
	echo 3 >/proc/sys/vm/drop_caches
	torture__play cold
	identity__let_go
}

# record FILE COMMAND...: of the whole machine, what is mapped.
record() {
	"${perf[@]}" record -q -a -e dummy -m 4M -o "$1" -- "${@:2}" >"$out/said" 2>&1 || {
		cat "$out/said" >&2
		exit 1
	}
}

# mappings FILE: "ID PATH" of each executable mapping of a file, "-" without an id.
mappings() {
	"${perf[@]}" script --show-mmap-events -i "$1" 2>"$out/said" |
		sed -nE 's/^.* PERF_RECORD_MMAP2 [^[]*\[[^@]*@ [^ ]+ (<([0-9a-f]+)>|[^]]*)\]: ..x. (\/.*)$/id=\2 \3/p' |
		sed 's/^id= /- /; s/^id=//'
}

# All of them, or, on a kernel without one, none.
modprobe -qa "${torture__filesystems[@]}" || torture__filesystems=()
torture__prepare
torture__warm_up
record "$out/torture.data" bash -c "set -euo pipefail
	. tests/lib/identity.sh; . tests/lib/torture_cases.sh
	$(declare -p torture__filesystems; declare -f torture__settle scenes)
	scenes"
for file in "${!torture__ids[@]}"; do
	echo "${torture__ids[$file]} $file"
done >"$out/ids"
sed -n "$torture__debian_cold p" "$torture__disk/debian" >"$out/cold"
# Left out are files that have no id to be found, or a name of several lines. Where one path
# has two contents, the id is not judged. Libraries of the guest lie in one place, warm and cold.
mappings "$out/torture.data" | awk -v ids="$out/ids" -v colds="$out/cold" '
	BEGIN {
		while ((getline <ids) > 0) known[$2] = $1
		while ((getline <colds) > 0) is_cold[$1] = 1
		left_out = "^(no-id|not-elf|id-too-long|lying-sizes|not-for-libelf|other-byte-order|et-rel|long-path)$"
		two_contents = "^(renamed-over|rewritten|copied-up)$"
	}
	!match($2, /@[a-z0-9-]+@(warm|cold)/) || $2 ~ /\/none$/ { next }
	{
		split(substr($2, RSTART + 1, RLENGTH - 1), part, "@")
		phase = $2 in is_cold ? "cold" : part[2]
	}
	part[1] ~ left_out { next }
	{
		n[part[1] " " phase]++
		total[phase]++
	}
	$1 == "-" { next }
	{
		with[part[1] " " phase]++
		all[phase]++
	}
	$2 in known && part[1] !~ two_contents && $1 != known[$2] {
		wrong[part[1] " " phase]++
		bad[phase]++
	}
	END {
		for (key in n)
			printf "%s: %d %d %d\n", key, n[key], with[key], wrong[key] | "LC_ALL=C sort"
		close("LC_ALL=C sort")
		for (phase in total)
			printf "TOTAL %s: %d %d %d\n", phase, total[phase], all[phase], bad[phase] | "LC_ALL=C sort -r"
	}'

# Programs as they are, after the caches were dropped: who runs one, or opens a library, reads
# its first page, and what the disk is read ahead.
start_programs() {
	local program

	sync
	echo 3 >/proc/sys/vm/drop_caches
	for program in /usr/bin/*; do
		case ${program##*/} in
		*perf* | bash | timeout) continue ;;
		esac
		timeout 5 "$program" --version </dev/null >/dev/null 2>&1 || true
		[ $((n += 1)) -lt 150 ] || break
	done
}
record "$out/programs.data" bash -c "n=0; $(declare -f start_programs); start_programs"
mappings "$out/programs.data" >"$out/programs"
awk '$2 ~ /^\/usr\// || $2 ~ /^\/bin|^\/lib/ { n++; if ($1 != "-") with++; else missing[$2]++ }
	END {
		printf "PROGRAMS: %d %d\n", n, with
		for (path in missing) printf "# %s: %d\n", path, missing[path]
	}' "$out/programs"
