#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# On a kernel with kernel-patch/: perfstamp takes the kernel's own records, needs no BPF, and
# writes the files that it writes elsewhere. The judges are those of the other kernels: the
# oracle, and the stock perfs. KERNEL=patched-7.2 is the other series.

setup_file() {
	export KERNEL=${KERNEL:-patched}
	cd "$BATS_TEST_DIRNAME/../.." || return
	scripts/guest --timeout 1200 --out "$BATS_FILE_TMPDIR/native" "$KERNEL" -- \
		bash tests/lib/native.sh /out >"$BATS_FILE_TMPDIR/native.said" 2>&1 ||
		echo "status $?" >>"$BATS_FILE_TMPDIR/native.said"
	scripts/guest --timeout 2700 "$KERNEL" -- bash tests/lib/torture.sh "$KERNEL" MMAP3 \
		>"$BATS_FILE_TMPDIR/torture" 2>&1 || echo "status $?" >>"$BATS_FILE_TMPDIR/torture"
	replacements >"$BATS_FILE_TMPDIR/replaced" 2>&1 || echo "status $?" >>"$BATS_FILE_TMPDIR/replaced"
}

in_guest() {
	"${OUTPUT:-.output}/perfstamp" record -a -e cpu-clock -F 999 -m 4M -o /out/data -- \
		unshare -m bash tests/lib/replaced.sh run /var/tmp/replaced
	cp /var/tmp/replaced/runs /out
}

replacements() {
	scripts/guest --timeout 1200 --out "$BATS_FILE_TMPDIR/replaced.out" "$KERNEL" -- \
		bash -c "set -e; $(declare -f in_guest); in_guest"
	bash tests/lib/replaced.sh judge /var/tmp/replaced "$BATS_FILE_TMPDIR/replaced.out/data"
}

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../.." || return
	# shellcheck source-path=SCRIPTDIR/../lib source=replaced_checks.bash
	. tests/lib/replaced_checks.bash
	native=$BATS_FILE_TMPDIR/native
}

@test "doctor finds the kernel's own records, and no fault" {
	cat "$native.said" "$native/doctor"
	grep -q '^+ rung MMAP3  .*(used)$' "$native/doctor"
	grep -q '^+ cold pages  *read when a file is mapped$' "$native/doctor"
	[ "$(grep -c '(used)$' "$native/doctor")" -eq 1 ]
	[ "$(tail -n 1 "$native/doctor")" = "status 0" ]
}

@test "the whole machine is recorded without a BPF program" {
	cat "$native/said" "$native/fds"
	grep -q '^perfstamp record: rung MMAP3; ' "$native/said"
	grep -q 'perf_event' "$native/fds"
	run ! grep bpf "$native/fds"
}

@test "the file has the records that it has by other rungs, and no others" {
	"$perfstamp" dump --json "$native/data" >"$BATS_TEST_TMPDIR/records"
	run -1 grep -m 1 -E '"type":"(MMAP3|MODULE|unknown[^"]*)"' "$BATS_TEST_TMPDIR/records"
	# Of who was there, and of who came.
	jq -se '
		map(select(.type == "MMAP2" and .mode == "user" and (.path | endswith("/worker")))) |
		length >= 1 and all(.stamped and .cgroup_id > 0 and .mnt_ns > 0 and
			.ino > 0 and .file_size > 0 and (.source == "page-cache" or
			.source == "stash" or .source == "faulted"))' "$BATS_TEST_TMPDIR/records"
	run -0 "$perfstamp" check "$native/data"
}

@test "who is over before /proc can be asked has its cgroup and mount namespace" {
	"$perfstamp" dump --json "$native/data" | grep '"path":"/tmp/contained"' >"$BATS_TEST_TMPDIR/records"
	cat "$native/cgroup" "$BATS_TEST_TMPDIR/records"
	jq -se --argjson cgroup "$(cat "$native/cgroup")" --argjson mnt_ns "$(cat "$native/mnt_ns")" '
		length >= 10 and all(.cgroup_id == $cgroup and .mnt_ns > 0 and .mnt_ns != $mnt_ns)' \
		"$BATS_TEST_TMPDIR/records"
}

@test "modules are told as they come and go" {
	"$perfstamp" list --modules --json "$native/data" >"$BATS_TEST_TMPDIR/modules"
	cat "$BATS_TEST_TMPDIR/modules"
	jq -se '
		map(select(.module == "dummy")) | length == 2 and
		.[0].snapshot and .[0].state == "unloaded" and (.[0].inferred | not) and
		(.[1].snapshot | not) and .[1].state == "unloaded" and (.[1].inferred | not) and
		.[1].loaded_ns > .[0].unloaded_ns and .[1].init_done_ns >= .[1].loaded_ns and
		.[1].unloaded_ns >= .[1].init_done_ns and
		.[0].build_id == .[1].build_id and (.[0].build_id | length) == 40' \
		"$BATS_TEST_TMPDIR/modules"
}

@test "a CPU that comes is recorded, and again after it was off-line, and the modules loaded there" {
	local kind

	cat "$native/cpu.said"
	grep -q 'CPU 1 came on-line and is recorded' "$native/cpu.said"
	grep -q 'CPU 1 was off-line and is recorded again' "$native/cpu.said"
	"$perfstamp" list --modules --json "$native/cpu.data" | tee "$BATS_TEST_TMPDIR/modules"
	jq -se 'map(select(.module == "dummy")) | length == 2 and all(
		.state == "unloaded" and (.inferred | not) and (.snapshot | not) and
		.init_done_ns >= .loaded_ns)' "$BATS_TEST_TMPDIR/modules"
	"$perfstamp" dump --json "$native/cpu.data" >"$BATS_TEST_TMPDIR/records"
	for kind in COMM MMAP2 EXIT; do
		jq -se --arg kind "$kind" 'any(.type == $kind and .cpu == 1)' "$BATS_TEST_TMPDIR/records"
	done
	scripts/perf newest script -F comm,cpu,ip,sym -i "$native/cpu.data" >"$BATS_TEST_TMPDIR/script"
	grep -q 'worker .*\[001\]' "$BATS_TEST_TMPDIR/script"
}

@test "who has no privileges records own programs by the same records" {
	cat "$native/nobody.said"
	grep -q '^perfstamp record: rung MMAP3; ' "$native/nobody.said"
	run -0 "$perfstamp" list "$native/nobody.data"
	[[ $output == *"$(readelf -n "$native/worker" | awk '/Build ID/ { print $3 }') /tmp/nobody/worker"* ]]
}

@test "the stock perfs read the files" {
	local version

	for version in 6.1 6.12 newest; do
		echo "$version"
		scripts/perf "$version" script -F comm,ip,dso -i "$native/data" >"$BATS_TEST_TMPDIR/script"
		[ "$(grep -c '/worker)' "$BATS_TEST_TMPDIR/script")" -ge 10 ]
		scripts/perf "$version" buildid-list -i "$native/nobody.data" | grep /worker
	done
}

@test "the stock perfs record as on any kernel" {
	local version

	for version in 6.1 6.12 newest; do
		echo "$version"
		cat "$native/stock-$version".{said,errors}
		[ ! -s "$native/stock-$version.errors" ]
		grep -q "PERF_RECORD_MMAP2 .*<$(readelf -n "$native/worker" | awk '/Build ID/ { print $3 }')>.*/worker$" \
			"$native/stock-$version.script"
		[ "$(grep -c '/worker)' "$native/stock-$version.script")" -ge 10 ]
	done
}

@test "the torture set: no id is wrong, and none is missing without a reason" {
	cat "$BATS_FILE_TMPDIR/torture"
	run -1 grep -aE '^# [^ ]+: (WRONG|SILENT|EXTRA) ' "$BATS_FILE_TMPDIR/torture"
	run -1 grep -aE ' recording: .* (wrong|silent|extra)=[1-9]' "$BATS_FILE_TMPDIR/torture"
	grep -q "^$KERNEL MMAP3 recording: status=0 .*rung=MMAP3 .*ledger=same " "$BATS_FILE_TMPDIR/torture"
}

@test "both builds are listed at their path, with their times" {
	local said=$BATS_FILE_TMPDIR/replaced scenario

	for scenario in rename rewrite place overlay; do replaced__apart "$said" "$scenario"; done
	replaced__listed "$said" overlap
	replaced__cookies "$said"
}

@test "stock perf gives each sample the symbol of its own build" {
	replaced__symbols "$BATS_FILE_TMPDIR/replaced"
}

@test "what is copied up before it could be read is never taken for what was mapped" {
	local output

	output=$(scripts/guest --timeout 900 "$KERNEL" -- bash tests/lib/copied_up.sh MMAP3)
	echo "$output"
	[[ $output == *"MMAP3 changed 11111111"* || $output == *"MMAP3 changed lookup-failed"* ]]
	[[ $output == *"MMAP3 kept 33333333"* ]]
}
