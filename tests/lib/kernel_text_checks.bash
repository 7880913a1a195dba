# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What is to hold of what tests/lib/kernel_text.sh has left of a guest. Sourced by bats at the
# tree's root. Each function is given a NAME: $BATS_FILE_TMPDIR/NAME has the guest's /out, and
# NAME.said what the guest said.
# shellcheck disable=SC2154 # what bats and its caller set

kernel_text__said() {
	cat "$BATS_FILE_TMPDIR/$1.said"
	grep -qx "$2" "$BATS_FILE_TMPDIR/$1.said"
}

kernel_text__covered() {
	local dir=$BATS_FILE_TMPDIR/$1

	kernel_text__said "$1" 'record: 0'
	"$perfstamp" check --json "$dir/data" | tee "$BATS_TEST_TMPDIR/check"
	jq -se --argjson filters "$(kernel_text__samples_in_filters "$dir/data")" 'map(select(has("samples_kernel")))[0] |
		.samples_kernel > 1000 and .samples_kernel_module > 10 and
		.samples_kernel_symbol > 10 and .samples_kernel_unmapped == $filters' \
		"$BATS_TEST_TMPDIR/check"
}

# The kernel does not report the code of classic BPF, and the seccomp filters of the recorder and
# its helpers are such code: their samples at no known address, and those of no other process.
kernel_text__samples_in_filters() {
	"$perfstamp" report --no-debuginfod --stdio -n --sort comm,sym -i "$1" 2>/dev/null |
		awk '$3 ~ /^perfstamp/ && /\[k\] \[not mapped\]/ { n += $2 } END { print n + 0 }'
}

# The programs that were there at the end, by what bpftool says of them.
kernel_text__programs_are_kept() {
	local dir=$BATS_FILE_TMPDIR/$1 id tag name n=0

	"$perfstamp" dump --header "$dir/data" >"$BATS_TEST_TMPDIR/dump"
	jq -r '.[] | "\(.id) \(.tag) \(.name)"' "$dir/programs.json" >"$BATS_TEST_TMPDIR/programs"
	while read -r id tag name; do
		echo "$id $tag $name"
		grep -q "\"id $id, tag $tag, name ${name:0:15}, " "$BATS_TEST_TMPDIR/dump"
		grep -q "^BPF_EVENT .* bpf_type=1 .* id=$id tag=$tag" "$BATS_TEST_TMPDIR/dump"
		n=$((n + 1))
	done <"$BATS_TEST_TMPDIR/programs"
	[ "$n" -ge 10 ]
	# By their tags, from and to: the recorders' were there at the end, but not all from the start.
	"$perfstamp" list --kernel --json "$dir/data" >"$BATS_TEST_TMPDIR/listed"
	jq -se 'map(select(.kind == "tag")) |
		length >= 10 and any(.[]; .first_ns == 0) and any(.[]; .first_ns > 0) and
		all(.[]; .path | startswith("bpf_prog_")) and
		any(.[]; .path == "bpf_prog_\(.tag)_sys_exit" and .alive)' \
		"$BATS_TEST_TMPDIR/listed"
	jq -se 'any(.[]; .path | test("trampoline"))' "$BATS_TEST_TMPDIR/listed"
	"$perfstamp" list --kernel "$dir/data" | grep '^tag:[0-9a-f]\{16\} *bpf_prog_.*_sys_exit$'
	run ! grep bpf_prog_ <("$perfstamp" list "$dir/data")
	# Some came before it, and some while it ran.
	grep -q '^BPF_EVENT .* time=0.000000000 ' "$BATS_TEST_TMPDIR/dump"
	grep '^BPF_EVENT ' "$BATS_TEST_TMPDIR/dump" | grep -qv ' time=0.000000000 '
}

kernel_text__judged() {
	local dir=$BATS_FILE_TMPDIR/$1 version id

	for version in 6.1 6.12 newest; do
		echo "perf $version:"
		scripts/perf "$version" report --header-only -I -i "$dir/data" \
			>"$BATS_TEST_TMPDIR/header" 2>"$BATS_TEST_TMPDIR/err"
		while read -r id; do
			grep -q "^# bpf_prog_info $id:" "$BATS_TEST_TMPDIR/header"
		done < <(jq '.[].id' "$dir/programs.json")
		grep -q '^# btf info of id ' "$BATS_TEST_TMPDIR/header"
		grep -q 'bpf_prog_[0-9a-f]*_snapshot_maps addr 0xffff' "$BATS_TEST_TMPDIR/header"
		scripts/perf "$version" script -i "$dir/data" --show-bpf-events -F ip,time \
			2>>"$BATS_TEST_TMPDIR/err" >"$BATS_TEST_TMPDIR/script"
		grep -q 'PERF_RECORD_BPF_EVENT' "$BATS_TEST_TMPDIR/script"
		scripts/perf "$version" report --header-only -I -i - <"$dir/pipe" \
			2>>"$BATS_TEST_TMPDIR/err" >"$BATS_TEST_TMPDIR/header"
		grep -q 'bpf_prog_[0-9a-f]*_snapshot_maps addr 0xffff' "$BATS_TEST_TMPDIR/header"
		# The guest's kernel is not here, and the perfs of one machine unwind no stacks of another.
		run ! grep -vE '^No kallsyms or vmlinux with build-id|^unwind: target platform=arm64 is not supported' \
			"$BATS_TEST_TMPDIR/err"
	done
}

kernel_text__code_is_kept() {
	local dir=$BATS_FILE_TMPDIR/$1 version

	kernel_text__said "$1" 'kcore: 0'
	cat "$dir/kcore.err"
	run ! grep 'cannot store the kernel.s code' "$dir/kcore.err"
	for version in 6.1 6.12 newest; do
		scripts/perf "$version" --buildid-dir "$dir/store" report -v --stdio \
			-i "$dir/kcore.data" >"$BATS_TEST_TMPDIR/report" 2>&1
		grep 'Using .*\[kernel.kcore\].*/kcore for kernel data' "$BATS_TEST_TMPDIR/report"
		grep -q '\[kernel.kcore\].* \[k\] [a-z]' "$BATS_TEST_TMPDIR/report"
	done
	kernel_text__said "$1" 'locked: 0'
	grep -q "cannot store the kernel's code in /out/locked: .* (lockdown, or" "$dir/locked.err"
	[ ! -e "$dir/locked/[kernel.kcore]" ]
	[ -n "$(find "$dir/locked" -name kallsyms)" ]
}

kernel_text__module_is_kept() {
	local dir=$BATS_FILE_TMPDIR/$1 id

	id=$("$perfstamp" list --modules --json "$dir/kcore.data" |
		jq -r 'select(.module == "raid6_pq" and .state == "unloaded") | .build_id')
	[ -n "$id" ]
	[ "$(readelf -n "$dir/store/.build-id/${id:0:2}/${id:2}/elf" |
		awk '/Build ID/ { print $3 }')" = "$id" ]
	# One from outside of the module tree, by the file that the system call was given.
	id=$(readelf -n "$dir/away/1.ko" | awk '/Build ID/ { print $3 }')
	"$perfstamp" list --modules --json "$dir/kcore.data" | tee "$BATS_TEST_TMPDIR/lives" |
		jq -se --arg id "$id" --arg path "$(cat "$dir/work")/away/odd name" \
			'map(select(.module == "burn" and .build_id == $id)) |
				length == 1 and all(.[]; .path == $path and (.from_memory | not))'
	"$perfstamp" list --kernel "$dir/kcore.data" | grep -x "$id .*/away/odd name"
	cmp "$dir/store/.build-id/${id:0:2}/${id:2}/elf" "$dir/away/1.ko"
	# From a file that is another by now, from memory, or from a file without a name: told,
	# and no path is made up.
	id=$(readelf -n "$dir/away/2.ko" | awk '/Build ID/ { print $3 }')
	jq -se --arg id "$id" 'map(select(.module == "burn" and .build_id == $id)) |
		length == 3 and (map(.from_memory) == [false, true, false]) and
		all(.[]; .path == null)' "$BATS_TEST_TMPDIR/lives"
	grep 'files of 3 modules .*/removed, from which burn was loaded, had been unlinked' \
		"$dir/kcore.err"
}

kernel_text__vanished() {
	kernel_text__said "$1" 'vanish: 0'
	cat "$BATS_FILE_TMPDIR/$1/vanish.err"
	[ ! -s "$BATS_FILE_TMPDIR/$1/vanish.err" ]
}
