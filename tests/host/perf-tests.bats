#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# perf's own shell tests, with our record behind the name perf (tests/lib/perf_shim.sh) and
# the newest stock perf for all else. They come with Debian's perf; with PERF_SOURCE, the
# tools/perf of a kernel's source, they are that one's.
#
# Not run are those that record whole machines, or nothing, or need hardware counters, AUX
# area traces, Python, probes, data types, or COMPRESSED2 records, which older perfs do not
# read.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
	shell=${PERF_SOURCE:+$PERF_SOURCE/tests/shell}
	shell=${shell:-$("$root/scripts/perf" --dir newest)/tree/usr/lib/perf-core/tests/shell}
	mkdir bin
	ln -s "$root/tests/lib/perf_shim.sh" bin/perf
}

# own NAME: runs one of them. Its status 2 is a skip, by which nothing is tried.
own() {
	[ -e "$shell/$1.sh" ]
	PERFSTAMP_ROOT=$root OUTPUT=$(dirname "$perfstamp") PATH=$PWD/bin:$PATH \
		run timeout 1800 bash "$shell/$1.sh"
	echo "status $status: $output"
	[ "$status" -eq 0 ]
	[[ $output != *"[Skipped"* ]]
}

# What of perf's test record is not about whole machines, with nothing skipped that needs no
# hardware counters.
own_record() {
	local name

	cp -r "$shell" shell
	shell=$PWD/shell
	chmod -R u+w shell
	sed -i '/^test_system_wide$/d; /^test_cgroup$/d; /^test_uid$/d' shell/record.sh
	PERFSTAMP_ROOT=$root OUTPUT=$(dirname "$perfstamp") PATH=$PWD/bin:$PATH \
		run timeout 3600 bash "$shell/record.sh"
	echo "status $status: $output"
	[ "$status" -eq 0 ]
	for name in "per-thread mode" "target workload" "leader sampling" Callgraph; do
		grep -q "$name.*\[Success\]" <<<"$output"
	done
}

# All but its recording of a whole machine, which tests/guest/options.bats has, too.
own_filter() {
	cp -r "$shell" shell
	shell=$PWD/shell
	chmod -R u+w shell
	# Its last call stands alone on a line.
	sed -i '/^  test_bpf_filter_cgroup$/s/.*/  :/' shell/record_bpf_filter.sh
	run -1 grep "^  test_bpf_filter_cgroup" shell/record_bpf_filter.sh
	own record_bpf_filter
}

@test "perf's test record" { own_record; }
@test "perf's test record_bpf_filter" { own_filter; }
@test "perf's test header" { own header; }
@test "perf's test data_validation" { own data_validation; }
@test "perf's test data_file_offset_diagnostics" { own data_file_offset_diagnostics; }
@test "perf's test evlist" { own evlist; }
@test "perf's test diff" { own diff; }
@test "perf's test pipe_test" { own pipe_test; }
@test "perf's test buildid" { own buildid; }
@test "perf's test record+zstd_comp_decomp" { own record+zstd_comp_decomp; }
