#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What the options of record promise, each and together. The attributes are judged by
# stock perf's own reading of them.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

teardown() {
	recording__end
}

@test "a workload is recorded with its threads and children, and its symbols resolve" {
	run -0 record -o data -- "$tools/worker" -t 2 -l -c 300
	is_valid data
	[ "$(workers_of newest data)" = "worker_child worker_late worker_main worker_thread" ]
	# Not one sample of its own code is without a name.
	run -1 grep -E "\[unknown\] \(.*/worker\)" script.out
}

@test "without -F there are about 4000 samples a second, and all in the workload" {
	record -o data -- "$tools/worker" 500 >worker
	samples_each data worker 0.25
	samples data >all
	[ "$(jq -r .pid all | sort -u | wc -l)" -eq 1 ]
	[[ $(event_of data) == *"{ sample_period, sample_freq }: 4000,"*" freq: 1,"*"enable_on_exec: 1"* ]]
}

@test "-F is the number of samples a second" {
	record -F 100 -o data -- "$tools/worker" 1000 >worker
	samples_each data worker 10
	[[ $(event_of data) == *"{ sample_period, sample_freq }: 100,"*" freq: 1,"* ]]
	record -F max -o data -- true
	[[ $(event_of data) == *"{ sample_period, sample_freq }: $(cat /proc/sys/kernel/perf_event_max_sample_rate),"* ]]
}

@test "-c samples every N events" {
	record -c 5000000 -o data -- "$tools/worker" 500 >worker
	samples_each data worker 5
	[[ $(event_of data) == *"{ sample_period, sample_freq }: 5000000,"* ]]
	[[ $(event_of data) != *" freq: 1,"* ]]
}

@test "several events are sampled, by several -e too, and each sample tells which" {
	"$perfstamp" record -e cpu-clock,task-clock:u -e page-faults -c 1000000 -o data -- \
		"$tools/worker" 300
	run -0 perf newest evlist -i data
	[ "$output" = $'cpu-clock\ntask-clock:u\npage-faults\ndummy:u' ]
	perf newest script -i data -F event | sort -u | tr -d ' :' >events
	grep -qx cpu-clock events
	grep -qx task-clocku events
	is_valid data
}

@test "samples have an id where there are several events, or where it is asked for" {
	record -o one -- "$tools/worker" 100
	record --sample-identifier -o asked -- "$tools/worker" 100
	[[ $(event_of one) == *" sample_type: IP|TID|TIME|PERIOD, "*" comm: 1, "* ]]
	[ "$(perf newest evlist -i one | wc -l)" -eq 1 ]
	[[ $(event_of asked) == *" sample_type: IP|TID|TIME|PERIOD|IDENTIFIER, "* ]]
	[ "$(perf newest evlist -i asked | wc -l)" -eq 2 ]
	is_valid one
	is_valid asked
}

@test "-g and --call-graph fp record call chains, and only they do" {
	record -g -o g -- "$tools/worker" 100
	record --call-graph fp -o fp -- "$tools/worker" 100
	record -o none -- "$tools/worker" 100
	[[ $(event_of g) == *"|CALLCHAIN|"* ]]
	[[ $(event_of fp) == *"|CALLCHAIN|"* ]]
	[[ $(event_of none) != *"CALLCHAIN"* ]]
	# main called it.
	perf newest script -i g -F ip,sym | grep -A 1 worker_main | grep -q ' main$'
}

@test "--all-user and --all-kernel leave the other out" {
	# shellcheck disable=SC2016 # for the workload's shell
	local both='"$0" 100; dd if=/dev/zero of=/dev/null bs=1M count=500 status=none'
	record --all-user -o user -- sh -c "$both" "$tools/worker"
	record --all-kernel -o kernel -- sh -c "$both" "$tools/worker"
	[ "$(count user '.type == "SAMPLE" and .mode == "kernel"')" -eq 0 ]
	[ "$(count user '.type == "SAMPLE"')" -gt 0 ]
	[ "$(count kernel '.type == "SAMPLE" and .mode != "kernel"')" -eq 0 ]
	[ "$(count kernel '.type == "SAMPLE"')" -gt 0 ]
	[[ $(event_of user) == *"exclude_kernel: 1"* ]]
	[[ $(event_of kernel) == *"exclude_user: 1"* ]]
	is_valid user
	is_valid kernel
}

@test "-k chooses the clock, and with each of them mappings come before samples" {
	local clock id
	for clock in monotonic:1 monotonic_raw:4 realtime:0 boottime:7 tai:11; do
		id=${clock#*:} clock=${clock%:*}
		record -q -k "$clock" -o "$clock" -- "$tools/worker" -t 1 -c 200 >/dev/null
		# perf leaves out what is 0.
		[[ $(event_of "$clock"), == *" use_clockid: 1,"*" clockid: $id,"* || $id = 0 ]]
		[ "$(workers_of newest "$clock")" = "worker_child worker_main worker_thread" ]
		perf newest script -i "$clock" -F ip,sym,dso >script.out
		run -1 unmapped script.out
		"$perfstamp" check "$clock"
		perf newest report --header-only -i "$clock" | grep -q "clockid: $clock ($id)"
	done
	# Realtime is the time of day.
	[ "$(samples realtime | head -n 1 | jq '.time_ns / 1e9 | floor')" -ge "$((EPOCHSECONDS - 600))" ]
}

# Without -p it is all that runs on them, as in perf, even with a workload: that is for guests.
@test "-C records on these CPUs only" {
	start_worker -c 10000
	taskset -p -c 0 "${ids[0]}" >/dev/null
	record -C 0 -o data -p "${ids[0]}" -- "${a_while[@]}"
	[ "$(samples data | jq .cpu | sort -u)" = 0 ]
	[[ $(event_of data) == *"|CPU|"* ]]
	is_valid data
	[ "$(nproc)" -gt 1 ] || return 0
	record -C 1 -o data -p "${ids[0]}" -- "${a_while[@]}"
	[ "$(samples data | wc -l)" -eq 0 ]
}

@test "in another pid namespace, pids are that one's, and it is told what is not used" {
	# shellcheck disable=SC2016 # what the inner shell is to expand
	run -0 --separate-stderr unshare -pf --mount-proc bash -c '
		"$1/worker" -t 1 60000 >ready &
		until grep -q ready ready; do sleep 0.05; done
		tids=(/proc/$!/task/*)
		"$0" record -q -e cpu-clock -o pids -p $! -- "$1/worker" 300
		"$0" record -q -e cpu-clock -o tids -t "${tids[1]##*/}" -- "$1/worker" 300
		"$0" record -v -e cpu-clock -o command -- "$1/worker" 300
		echo "$! ${tids[1]##*/}" >numbers
		"$0" doctor >doctor || true' "$perfstamp" "$tools"
	grep -q "^1\. rung MMAP2: use the host's pid namespace" doctor
	[[ $stderr == *"this pid namespace has pids of its own"* ]]
	[[ $stderr == *"rung MMAP2;"* ]]
	local file main thread
	read -r main thread <numbers
	for file in pids tids command; do
		is_valid "$file"
		perf newest script -i "$file" -F ip,sym 2>script.err | grep -q worker_
	done
	[ "$(samples pids | jq .pid | sort -u)" = "$main" ]
	[ "$(samples tids | jq -c '[.pid, .tid]' | sort -u)" = "[$main,$thread]" ]
}

@test "in a pid and a cgroup namespace of its own, it is told what they hide" {
	local hierarchy cgroup
	hierarchy=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)
	[ -n "$hierarchy" ] || skip "cgroup2 is not mounted"
	cgroup=$hierarchy/perfstamp-own-$$
	mkdir -p "$cgroup/inner"
	# As a container has them: its own cgroup is the root of the hierarchy that it sees.
	# shellcheck disable=SC2016 # what the inner shell is to expand
	bash -c 'echo 0 >"$0/cgroup.procs" && exec unshare -pfmC --mount-proc bash -ec "$@"' "$cgroup" '
		umount -R /sys/fs/cgroup
		mount -t cgroup2 none /sys/fs/cgroup
		# A part of it, which is in the list of mounts before the whole.
		mkdir part
		mount --bind /sys/fs/cgroup/inner part
		umount /sys/fs/cgroup
		mount -t cgroup2 none /sys/fs/cgroup
		"$1" doctor >own || true
		"$1" record -e cpu-clock -G inner -o data -- true 2>whole
		"$1" record -e cpu-clock -o data -- true 2>workload' sh "$perfstamp"
	await rmdir "$cgroup/inner"
	await rmdir "$cgroup"
	grep -A 1 "^- cgroup2 .*only the cgroups of this container are visible" own |
		grep -q "use the host's cgroup namespace (--cgroupns=host)"
	grep -A 1 "^- workloads " own | grep -qx " *-> use the host's pid namespace (hostPID, --pid=host)"
	grep -q "processes outside of this pid namespace .* recorded as process 0" whole
	run -1 grep "process 0" workload
}

@test "-C tells what happens on other CPUs, and map records tell on which" {
	local rung version
	[ "$(nproc)" -gt 1 ] || return 0
	start taskset -c 1 bash -c 'while :; do /bin/true; echo >>turns; sleep 0.05; done'
	await test -s turns
	# However long a busy machine takes for some turns more.
	# shellcheck disable=SC2016 # what the inner shell is to expand
	local some_turns='n=$(wc -l <turns); until [ "$(wc -l <turns)" -gt $((n + 4)) ]; do sleep 0.1; done'
	for rung in kprobe.multi MMAP2; do
		record --rung "$rung" -C 0 -o data -p "$pid" -- bash -c "$some_turns"
		is_valid data
		[ "$(count data '.type == "COMM" and .exec')" -gt 1 ]
		[ "$(count data '.type == "EXIT"')" -gt 1 ]
		for version in "${perfs[@]}"; do
			[ "$(perf "$version" script -i data --show-mmap-events -C 1 2>script.err | grep -c 'MMAP2.*/true$')" -gt 1 ]
			run -1 grep "MMAP2.*/true" <(perf "$version" script -i data --show-mmap-events -C 0 2>script.err)
		done
	done
}

@test "-p records a running process with all its threads, new ones too, and its children" {
	start_worker -w -t 2 -l -c 600
	record_work -p "${ids[0]}"
	[ "$(workers_of newest data)" = "worker_child worker_late worker_main worker_thread" ]
	[ "$(samples data | jq .tid | sort -u | wc -l)" -eq 5 ]
	is_valid data
}

@test "-i leaves out children and threads that are yet to come" {
	start_worker -w -t 2 -l -c 600
	record_work -i -p "${ids[0]}"
	[ "$(workers_of newest data)" = "worker_main worker_thread" ]
	[ "$(samples data | jq .tid | sort -u | wc -l)" -eq 3 ]
	[[ $(event_of data) != *" inherit: 1"* ]]
	record -i -o data -- "$tools/worker" -t 1 -c 200
	[ "$(workers_of newest data)" = "worker_main" ]
}

@test "-t records one thread" {
	start_worker -w -t 2 400
	record_work -t "${ids[1]}"
	[ "$(workers_of newest data)" = "worker_thread" ]
	[ "$(samples data | jq .tid | sort -u)" = "${ids[1]}" ]
	is_valid data
}

@test "-p and -t take several, and the recording ends when all have ended" {
	local first
	start_worker -w -t 1 200
	first=${ids[0]}
	start_worker -w -t 1 400
	start_recording -p "$first,${ids[0]}"
	kill -USR1 "$first"
	await is_over "$first"
	kill -0 "$pid"
	kill -USR1 "${ids[0]}"
	end_by_itself
	[ "$(samples data | jq .pid | sort -n | uniq | xargs)" = \
		"$(printf '%s\n' "$first" "${ids[0]}" | sort -n | xargs)" ]
	# It went on after the first.
	[ "$(samples data | tail -n 1 | jq .pid)" = "${ids[0]}" ]
	is_valid data
	start_worker -w -t 2 400
	record_work -t "${ids[1]},${ids[2]}"
	[ "$(samples data | jq .tid | sort -n | uniq | xargs)" = \
		"$(printf '%s\n' "${ids[@]:1}" | sort -n | xargs)" ]
}

@test "beside -p, a workload only tells how long" {
	start_worker 200000
	record -o data -p "${ids[0]}" -- "${a_while[@]}"
	[ -d "/proc/${ids[0]}" ]
	[ "$(samples data | jq .pid | sort -u)" = "${ids[0]}" ]
	[ "$(samples data | wc -l)" -gt 10 ]
}

@test "what was mapped before -p began is known" {
	start_worker 10000
	record -o data -p "${ids[0]}" -- "${a_while[@]}"
	perf newest script -i data -F ip,sym,dso >script.out
	grep -q worker_main script.out
	run -1 unmapped script.out
	# All of the process's executable mappings of files, as /proc tells them.
	awk '$2 ~ /x/ && $6 ~ /^\// { print $6 }' "/proc/${ids[0]}/maps" | sort -u >maps
	"$perfstamp" dump --json data | jq -r 'select(.type == "MMAP2" and .path[0:1] == "/") | .path' |
		sort -u | diff maps -
}

@test "-o names the file; perf.data without it; what was there is kept as .old" {
	record -- sh -c 'exit 0'
	"$perfstamp" check perf.data
	cp perf.data first
	record -- true
	cmp first perf.data.old
	run ! cmp -s first perf.data
	record -o other -- true
	[ ! -e other.old ]
	[ "$(stat -c %a perf.data other | xargs)" = "600 600" ]
}

@test "-o - writes to a pipe, and the workload's output goes to standard error" {
	record -o - -- sh -c "echo from the workload; '$tools/worker' 200" 2>stderr | cat >pipe
	grep -qx "from the workload" stderr
	"$perfstamp" check pipe
	[ "$(perf newest script -i - -F ip,sym <pipe | grep -c worker_main)" -gt 20 ]
	# A named pipe is one, too.
	mkfifo fifo
	start cp fifo copy
	record -o fifo -- "$tools/worker" 100
	wait "$pid"
	"$perfstamp" check copy | grep -q "^copy: pipe, "
}

@test "a workload's own options and output are its own" {
	run -0 --separate-stderr record -q -o data -- printf '%s|' -o -v --help
	[ "$output" = "-o|-v|--help|" ]
	[ -z "$stderr" ]
	# Without -- they are, too, from its name on.
	run -0 --separate-stderr record -q -o data printf '%s|' -a
	[ "$output" = "-a|" ]
	run -0 record -q -o data -- cat <<<"its input"
	[ "$output" = "its input" ]
}

@test "a signal before the workload is started leaves it unstarted" {
	# It is there when the recorder begins, which then waits for signals.
	# shellcheck disable=SC2016 # for that shell
	run -143 env --block-signal=TERM bash -c 'kill -TERM $$; exec "$@"' bash \
		"$perfstamp" record -e cpu-clock -o data -- touch started
	[ ! -e started ]
	"$perfstamp" check data
}

@test "-q is silent, the summary is one line, -v tells more" {
	run -0 record -q -o data -- true
	[ -z "$output" ]
	run -0 --separate-stderr record -o data -- true
	[ -z "$output" ]
	[[ $stderr =~ ^"[ perfstamp record: "[0-9]+" samples, "[0-9.]+"% identified".*", "[0-9]+" maps of "[0-9]+" DSOs, "[0-9]+" lost; data: 0."[0-9]+" MB ]"$ ]]
	run -0 --separate-stderr record -v -o data -- true
	[[ $stderr == *"perfstamp record: rung "*" maps with a build-id "* ]]
}

@test "the summary, list, dump and check agree" {
	run -0 --separate-stderr record -o data -- "$tools/worker" -c 200
	local said=$stderr
	[[ $said =~ ^"[ perfstamp record: "([0-9]+)" samples, ".*", "([0-9]+)" maps of "([0-9]+)" DSOs," ]]
	local samples=${BASH_REMATCH[1]} maps=${BASH_REMATCH[2]} dsos=${BASH_REMATCH[3]}
	[ "$(samples data | wc -l)" -eq "$samples" ]
	[ "$(count data '.type == "MMAP2" and .mode == "user"')" -eq "$maps" ]
	[ "$("$perfstamp" list --user data | wc -l)" -eq "$dsos" ]
	"$perfstamp" check --json data >json
	[ "$(jq '.samples, .mappings' json | xargs)" = "$samples $maps" ]
	[ "$(jq -r .ok json)" = true ]
}

@test "-m is the size of each ring, in pages or in bytes" {
	# The kernel's own account of locked memory tells: pages of data, and one of control.
	local size pages
	for size in 8:8 5:8 64K:16 100K:32 1M:256; do
		pages=${size#*:}
		start_recording -m "${size%:*}" -p $$
		grep -A 3 'anon_inode:\[perf_event\]' "/proc/$pid/smaps" | awk '/^Size:/ { print $2 / 4 - 1 }' |
			sort -u >sizes
		stop_recording INT
		[ "$(cat sizes)" = "$pages" ]
	done
}

@test "a tiny ring loses samples, and says so everywhere" {
	run -0 --separate-stderr record -m 1 -F 20000 -g -o data -- "$tools/worker" -t 8 -c 400
	[[ $stderr == *"lost because the perf rings were full: use a larger -m"* ]]
	[[ ! $stderr == *" 0 lost;"* ]]
	run -1 "$perfstamp" check data
	[[ $output == *"wrong: lost-"* ]]
}

@test "--rung MMAP2 works without BPF, and its recordings are as good for perf" {
	run -0 --separate-stderr record -v --rung MMAP2 -o data -- "$tools/worker" -t 1 -c 200
	[[ $stderr == *"rung MMAP2;"* ]]
	# These records do not say how the kernel came by a build-id.
	[[ $stderr != *"kernel side"* ]]
	is_valid data
	[ "$(workers_of newest data)" = "worker_child worker_main worker_thread" ]
	"$perfstamp" list data | grep -q "^$(readelf -n "$tools/worker" | awk '/Build ID/ { print $3 }') $tools/worker$"
	"$perfstamp" dump --header data | grep -q 'rung.*MMAP2'
	start_worker -t 1 10000
	record --rung MMAP2 -o data -p "${ids[0]}" -- "${a_while[@]}"
	is_valid data
	[ "$(workers_of newest data)" = "worker_main worker_thread" ]
}

@test "a kernel without records of its own that tell identities: the next rung, and it is told" {
	run -0 "$perfstamp" doctor
	grep -x '  rung MMAP3  *this kernel has no PERF_RECORD_MMAP3' <<<"$output"
	run -0 --separate-stderr record -v --rung MMAP3 -o data -- true
	grep -x 'perfstamp record: MMAP3 is not used: this kernel has no PERF_RECORD_MMAP3' <<<"$stderr"
	[[ $stderr == *"perfstamp record: rung "* && $stderr != *"rung MMAP3"* ]]
	# One that begins with a lesser rung does not ask.
	run -0 --separate-stderr record -v --rung MMAP2 -o data -- true
	[[ $stderr != *MMAP3* ]]
	is_valid data
}

@test "a kernel that refuses a program which no rung needs: the rung is used without it" {
	local rung
	rung=$("$perfstamp" doctor | sed -n 's/^. rung \([^ ]*\) .*(used)$/\1/p')
	"$tools/refuse_program" print_symbols "$perfstamp" record -e cpu-clock -v -o data -- true 2>stderr
	grep -q "^perfstamp record: rung $rung; " stderr
}

@test "a rung that this machine has is used, and is named in the file" {
	local rung
	rung=$("$perfstamp" doctor | sed -n 's/^. rung \([^ ]*\) .*(used)$/\1/p')
	record -v -o data -- true 2>stderr
	grep -q "^perfstamp record: rung $rung; " stderr
	"$perfstamp" dump --header data | grep -q "rung.*$rung"
}

@test "all options go together" {
	start_worker -t 1 -c 10000
	run -0 "$perfstamp" record -e cpu-clock -e cpu-clock:u,task-clock -F 500 --call-graph fp -m 64 -k boottime -i -v \
		-C 0-1 --all-user --map-ring-size 64K --rung sys_exit -o data -p "${ids[0]}" -- "${a_while[@]}"
	is_valid data
	[[ $(event_of data) == *"sample_freq }: 500, sample_type: IP|TID|TIME|CALLCHAIN|CPU|PERIOD|IDENTIFIER,"*"exclude_kernel: 1"*"clockid: 7" ]]
	perf newest report --header-only -i data |
		grep -qF -- "perfstamp record -e cpu-clock -e cpu-clock:u,task-clock -F 500 --call-graph fp -m 64"
}

@test "a ring too small for a storm of mappings: losses are told, and the file heals" {
	local heal first version n lost recorder storm
	# About half of the mappings are lost: of some library it is its own.
	for n in {1..20}; do cp "$tools/libswapped-1.so" "library-$n.so"; done
	start_recording -F 500 --map-ring-size 4096 -- "$tools/storm" "$PWD"/library-*.so 2>record.err
	recorder=$pid
	await has_record data '.type == "LOST"'
	storm=$(pgrep -P "$recorder" -x storm)
	kill -USR1 "$storm"
	# All are told of by a snapshot that was taken after they were loaded.
	await has_healed
	heal=$(healing | jq -s 'map(.time_ns) | max')
	await has_record data ".type == \"SAMPLE\" and .time_ns > $heal and .mode == \"user\""
	await has_samples_since "$heal"
	kill -TERM "$storm"
	await is_over "$recorder"
	wait "$recorder" || true
	[[ $(cat record.err) =~ " map record"s?" lost (ring full: "([0-9]+)", use a larger --map-ring-size" ]]
	lost=${BASH_REMATCH[1]}
	[ "$lost" -gt 100 ]
	grep -q "the existing state was read again [1-9][0-9]* time" record.err
	# The file has the same number as the summary: of this cause, and of others on a busy machine.
	[[ $(cat record.err) =~ ", "([0-9]+)" lost; data:" ]]
	[ "${BASH_REMATCH[1]}" -ge "$lost" ]
	[ "$("$perfstamp" dump --json data | jq -c 'select(.type == "LOST")' | jq -s 'map(.lost) | add')" = "${BASH_REMATCH[1]}" ]
	run -1 "$perfstamp" check data
	[[ ${lines[-1]} == "wrong: lost-records: "* ]]
	# From when it was done on, samples in them resolve, in all perfs.
	first=$(seconds_after "$heal")
	for version in "${perfs[@]}"; do
		perf "$version" script -i data -F ip,sym,dso --time "$first," 2>stderr >later.txt
		grep -q in_build_1 later.txt
		# BPF programs of others, loaded meanwhile, are told to whole machines only.
		run -1 unmapped later.txt
	done
}

# The libraries' records of snapshots that were taken again.
healing() {
	"$perfstamp" dump --json data 2>/dev/null | jq -c 'select(.type == "MMAP2" and .snapshot and
		.time_ns > 0 and (.path | contains("/library-")))'
}

has_healed() {
	[ "$(healing | jq -r .path | sort -u | wc -l)" -eq 20 ]
}

has_samples_since() {
	[ "$(samples data 2>/dev/null | jq -c "select(.time_ns > $1)" | grep -c '"mode":"user"')" -gt 20 ]
}

# Code in memory without a file has no identity: the figure may not say otherwise, and names it.
@test "the last line counts samples, and names those without an identity" {
	cat >jit.c <<-'END'
		#include <string.h>
		#include <sys/mman.h>
		#include <time.h>
		static const unsigned char code[] = {0xb9, 0, 0, 0x10, 0, 0xff, 0xc9, 0x75, 0xfc, 0xc3};
		int main(void)
		{
			void *at = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			memcpy(at, code, sizeof(code));
			while (clock() < 0.3 * CLOCKS_PER_SEC)
				((void (*)(void))at)();
			return 0;
		}
	END
	gcc -O1 -o jit jit.c
	record -o data ./jit 2>stderr
	cat stderr
	[[ $(cat stderr) =~ ([0-9]+)" samples, "([0-9.]+)"% identified ("[^\)]*([0-9]+)" in anonymous memory (JIT)" ]]
	[ "${BASH_REMATCH[2]%.*}" -lt 50 ]
	run "$perfstamp" check data
	[[ $output =~ ([0-9]+)" in anonymous memory (JIT)" ]]
	[ "${BASH_REMATCH[1]}" -eq "$("$perfstamp" check --json data | jq .samples_user_anonymous)" ]
	# The file may have fewer samples than were recorded: what is there counts.
	grep -q "record: $("$perfstamp" check --json data | jq .samples) samples, " stderr
}

@test "the last line names the file that was written" {
	local option

	for option in --timestamp-filename --switch-output=1h --overwrite; do
		rm -f out.data*
		record "$option" -o out.data -- "$tools/worker" 50 2>stderr || record "$option" -o out.data true 2>stderr
		cat stderr
		[ -s "$(sed -n 's/.* lost; \(out\.data[^:]*\): .* \]$/\1/p' stderr)" ]
	done
}

@test "report warns of what was lost, and gives its share" {
	"$perfstamp" record -e cpu-clock -F max -c 10000 -m 1 -o data -- "$tools/worker" 400 || true
	lost=$("$perfstamp" check --json data | jq '.lost_records + .lost_samples')
	if [ "$lost" -gt 0 ]; then
		"$perfstamp" report data 2>stderr >stdout
		grep -Eq "^perfstamp report: warning: $lost records? (was|were) lost while recording \([0-9a-z .]+% of .*record with a larger -m or a lower -F" stderr
		[ "$("$perfstamp" report --json data 2>/dev/null | jq 'select(.type == "recording") |
			.lost_records + .lost_samples')" -eq "$lost" ]
	fi
}
