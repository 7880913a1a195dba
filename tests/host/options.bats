#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Options of record for which perf's users reach beyond the everyday ones, judged by stock
# perf: what it reads, and that it has nothing to complain about.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash
# shellcheck disable=SC2016 # what the shell in another namespace is to expand

setup() {
	load ../lib/recording.bash
}

teardown() {
	[ -z "${cgroup-}" ] || rmdir "$cgroup/inner" "$cgroup" 2>/dev/null || true
	recording__end
}

# All perfs read FILE, the newest without a word; what it prints is in script.out. Older
# ones complain of their own plugins.
all_read() {
	local version

	for version in "${perfs[@]}"; do
		perf "$version" script -i "$1" >script.out 2>script.err || {
			echo "perf $version script $1: status $?" && cat script.err && return 1
		}
	done
	[ ! -s script.err ] || { cat script.err && return 1; }
}

@test "perf's options on build-ids are taken, say one sentence, and change nothing" {
	run -0 --separate-stderr record -BN --no-buildid --no-buildid-cache --buildid-all \
		--buildid-mmap --no-buildid-mmap -o data -- true
	[ "$(grep -c "build-ids are always recorded" <<<"$stderr")" -eq 1 ]
	"$perfstamp" list data | grep -q "^$(readelf -n "$(readlink -f /bin/true)" | awk '/Build ID/ { print $3 }') "
	run -0 --separate-stderr record -q -N -o data -- true
	[ -z "$stderr" ]
	[ ! -e "$HOME/.debug" ]
}

@test "the long forms that perf has for its short options mean the same" {
	run -0 --separate-stderr record --event task-clock:u --freq 500 --clockid boottime --cpu 0 \
		--mmap-pages 64 --no-inherit --quiet --output data -- taskset -c 0 "$tools/worker" 200
	[ -z "$stderr" ]
	perf newest evlist -v -i data | grep -q "^task-clock:u:.* sample_freq }: 500,.*clockid: 7"
	run -1 grep -q " inherit: 1" <(perf newest evlist -v -i data)
	start_worker -t 1 5000
	record --verbose --pid "${ids[0]}" -o data -- sleep 0.2
	[ "$(samples data | jq .pid | sort -u)" = "${ids[0]}" ]
	record --tid "${ids[1]}" --count 1000000 -o data -- sleep 0.2
	[ "$(samples data | jq .tid | sort -u)" = "${ids[1]}" ]
	[[ $(event_of data) == *"{ sample_period, sample_freq }: 1000000,"* ]]
}

# Runs perfstamp with tracefs, which is mounted on most machines but not in containers.
with_tracefs() {
	if [ -e /sys/kernel/tracing/events ]; then
		exec "$perfstamp" "$@"
	fi
	exec unshare -m sh -c 'mount -t tracefs nodev /sys/kernel/tracing && exec "$0" "$@"' \
		"$perfstamp" "$@"
}

@test "tracepoints are recorded with their fields, in a file and in a pipe" {
	local version
	(with_tracefs record -e sched:sched_process_exec,cpu-clock -e 'sched:sched_process_fo*' \
		-o data -- sh -c '/bin/true; :')
	(with_tracefs record -e sched:sched_process_exec -o - -- sh -c '/bin/true; :' >pipe)
	all_read data
	all_read pipe
	for version in "${perfs[@]}"; do
		for file in data pipe; do
			perf "$version" script -i "$file" 2>script.err |
				grep -q "sched:sched_process_exec: filename=/bin/true pid="
		done
		perf "$version" script -i data -F event,trace 2>script.err |
			grep -q "sched:sched_process_fork: .*child_comm=sh"
	done
	[[ $(event_of data) == *"|RAW|"* ]]
	"$perfstamp" check data
	"$perfstamp" check pipe
}

@test "a killed recording of tracepoints can be read as well" {
	local version
	start_worker -t 1 -c 20000
	start with_tracefs record -q -e "sched:*" -o data -p "${ids[0]}"
	await has_records data
	sleep 1
	kill -KILL "$pid"
	wait "$pid" || true
	for version in "${perfs[@]}"; do
		perf "$version" script -i data -F event,trace 2>script.err |
			grep -q "sched:sched_stat_runtime: .*comm=worker "
	done
	run -1 "$perfstamp" check data
	[[ $output == *"wrong: unfinished"* ]]

}

@test "without tracefs a tracepoint is refused, with what to do" {
	run -1 --separate-stderr unshare -m sh -c '
		umount -l /sys/kernel/tracing /sys/kernel/debug 2>/dev/null
		exec "$0" record -e sched:sched_switch -o data -- true' "$perfstamp"
	[[ $stderr == *"tracefs must be mounted and readable (mount -t tracefs nodev /sys/kernel/tracing)" ]]
	[ ! -e data ]
}

@test "--call-graph dwarf copies registers and stack, and all perfs unwind them" {
	local file version
	start_worker 20000
	record -F 500 --call-graph dwarf -o data -- "$tools/worker" 200
	record -F 500 --call-graph dwarf,4090 --rung MMAP2 -o native -- "$tools/worker" 200
	record -F 500 --call-graph dwarf -o running -p "${ids[0]}" -- sleep 0.2
	for file in data native running; do
		all_read "$file"
		for version in "${perfs[@]}"; do
			# Up to main and beyond, without frame pointers in libc.
			[ "$(perf "$version" script -i "$file" -F ip,sym | grep -c "__libc_start")" -gt 5 ]
		done
		"$perfstamp" check "$file"
		[ "$(samples "$file" | wc -l)" -gt 5 ]
	done
	[[ $(event_of data) == *"|REGS_USER|STACK_USER|"*"exclude_callchain_user: 1"*"sample_stack_user: 8192"* ]]
	[[ $(event_of native) == *"sample_stack_user: 4096"* ]]
	# Mappings of data are there for that, and are no code.
	[ "$(count data '.type == "MMAP2" and .data and .prot == "r--"')" -gt 0 ]
	[ "$("$perfstamp" list --user data | wc -l)" -eq 4 ]
}

@test "--call-graph lbr is refused, with what to do, where no PMU keeps branch records" {
	[ ! -e /sys/bus/event_source/devices/cpu/caps/branches ] || skip "this machine has LBR"
	run -1 --separate-stderr record --call-graph lbr -o data -- true
	[[ $stderr == *"--call-graph lbr, which needs an event of a processor with LBR: try --call-graph fp or dwarf" ]]
	[ ! -e data ]
}

# The threads that the newest perf knows namespaces of, at FILE's start.
namespaces_of() {
	perf newest script -i "$1" --show-namespace-events |
		grep -o ' 0\.000000: PERF_RECORD_NAMESPACES [0-9]*/[0-9]* - nr_namespaces: 7' |
		grep -o '[0-9]*/[0-9]*' | cut -d / -f 2 | sort | xargs
}

@test "--namespaces tells of the threads that exist already" {
	start_worker -t 2 20000
	record --namespaces -o data -p "${ids[0]}" -- sleep 0.2
	all_read data
	[ "$(namespaces_of data)" = "$(printf '%s\n' "${ids[@]}" | sort | xargs)" ]
	perf newest script -i data --show-namespace-events |
		grep -q "0/net: $(stat -Lc %d "/proc/${ids[0]}/ns/net")/0x$(printf %x "$(stat -Lc %i "/proc/${ids[0]}/ns/net")"),"
	record -o without -p "${ids[0]}" -- sleep 0.2
	[ -z "$(namespaces_of without)" ]
	# A workload's own, too, and those of one that it enters.
	record --namespaces -o data -- unshare -u "$tools/worker" 100
	[ "$(namespaces_of data | wc -w)" -eq 1 ]
	[ "$("$perfstamp" dump --json data | jq -c 'select(.type == "NAMESPACES").pid' | wc -l)" -ge 2 ]
	all_read data
}

@test "--all-cgroups records the cgroup of samples, and the paths of all" {
	local mount=/sys/fs/cgroup version
	[ "$(stat -fc %T "$mount")" = cgroup2fs ] || mount=/sys/fs/cgroup/unified
	[ "$(stat -fc %T "$mount")" = cgroup2fs ] || skip "cgroup2 is not mounted"
	cgroup=$mount/perfstamp-test-$$
	mkdir -p "$cgroup/inner"
	record --all-cgroups -o data -- sh -c "echo \$\$ >'$cgroup/inner/cgroup.procs'; exec '$tools/worker' 200"
	record -o without -- true
	rmdir "$cgroup/inner" "$cgroup"
	all_read data
	for version in "${perfs[@]}"; do
		perf "$version" report -i data -s cgroup --stdio 2>script.err |
			grep -q "%  /perfstamp-test-$$/inner *$"
	done
	"$perfstamp" dump --json data | jq -r 'select(.type == "CGROUP").path' | sort >paths
	grep -qx "/perfstamp-test-$$" paths
	# Each once.
	[ -z "$(uniq -d paths)" ]
	[[ $(event_of data) == *"|CGROUP"* ]]
	[[ $(event_of without) != *"|CGROUP"* ]]
	"$perfstamp" check data
}

@test "-D begins sampling later, and with -1 not at all" {
	run -0 --separate-stderr record -D 400 -o data -- "$tools/worker" -t 1 -c 1000
	local first
	first=$("$perfstamp" dump --json data |
		jq -s 'map(select(.type == "COMM" and .exec).time_ns)[0] as $exec |
			(map(select(.type == "SAMPLE").time_ns) | min) - $exec | . / 1000000 | floor')
	[ "$first" -ge 350 ]
	[ "$first" -lt 1000 ]
	[ "$(workers_of newest data)" = "worker_child worker_main worker_thread" ]
	is_valid data
	record -D -1 -o data -- "$tools/worker" 200
	[ "$(samples data | wc -l)" -eq 0 ]
	"$perfstamp" list data | grep -q " $tools/worker$"
	record --delay 0 -o data -- "$tools/worker" 200
	[ "$(samples data | wc -l)" -gt 5 ]
	# It ends in time, however long the delay.
	SECONDS=0
	record -D 60000 -o data -- "$tools/worker" 100
	[ "$SECONDS" -lt 10 ]
	run -2 record -D soon -o data -- true
}

@test "-u records the processes of a user, with their children" {
	# A number that no one here has.
	local user=397531
	start setpriv --reuid "$user" --clear-groups "$tools/worker" -t 1 -c 20000
	await pgrep -U "$user" worker
	record -u "$user" -o data -- sleep 0.3
	all_read data
	[ "$(samples data | jq .pid | sort -u | wc -l)" -ge 1 ]
	[ "$(workers_of newest data)" != "" ]
	[ "$(for one in $(samples data | jq .pid | sort -u); do ps -o ruid= -p "$one" | tr -d ' '; done | sort -u)" = "$user" ]
	run -1 --separate-stderr record -u no-such-user -o data -- true
	[[ $stderr == *"there is no user 'no-such-user'" ]]
	run -1 --separate-stderr record -u 397532 -o data -- true
	[[ $stderr == *"user '397532' has no process" ]]
	run -2 record -u "$user" -p $$ -o data -- true
}

@test "-z compresses, in a file and in a pipe, and everything is read back" {
	local file version
	record -g -o plain -- "$tools/worker" -t 1 -c 300
	record -z -g -o data -- "$tools/worker" -t 1 -c 300
	record -z22 -o - -- "$tools/worker" 200 >pipe
	record --compression-level=3 -F 500 --call-graph dwarf -o large -- "$tools/worker" -t 1 300
	for file in data pipe large; do
		all_read "$file"
		for version in "${perfs[@]}"; do
			[ "$(perf "$version" script -i "$file" -F event 2>script.err | wc -l)" -ge \
				"$(samples "$file" | wc -l)" ]
		done
		"$perfstamp" check "$file"
	done
	for version in "${perfs[@]}"; do
		[ "$(workers_of "$version" data)" = "$(workers_of newest plain)" ]
	done
	perf newest report --header-only -i data | grep -q "^# compressed : Zstd, level = 1, ratio = [1-9]"
	[ "$("$perfstamp" list data | cut -d ' ' -f 1,2)" = "$("$perfstamp" list plain | cut -d ' ' -f 1,2)" ]
	perf newest inject -b -i data -o injected
	[ "$(workers_of newest injected)" = "$(workers_of newest plain)" ]
	run -2 record -z23 -o data -- true
}

@test "a killed recording that is compressed can be read up to its last round" {
	local version
	start_worker -t 1 -c 20000
	start_recording -z -g -p "${ids[0]}"
	await enough_samples
	kill -KILL "$pid"
	wait "$pid" || true
	for version in "${perfs[@]}"; do
		perf "$version" script -i data -F ip,sym 2>script.err | grep -q worker_main
		[ "$(perf "$version" script -i data -F event 2>script.err | grep -c cpu-clock)" -eq "$(samples data | wc -l)" ]
	done
}

enough_samples() {
	[ "$(samples data | wc -l)" -gt 20 ]
}

# Gives COMMAND to the recorder and waits for its answer. Descriptor 9 keeps ack open: what
# is in a FIFO goes with its last user, and the recorder's last answer is to "stop".
control() {
	local line

	echo "$1" >ctl
	read -r -t 20 line <&9
	[ "$line" = ack ]
}

@test "--control starts, pauses and ends sampling, and answers" {
	local before
	mkfifo ctl ack
	exec 9<>ack
	start_worker 60000
	start_recording -D -1 --control fifo:ctl,ack -p "${ids[0]}"
	control ping
	sleep 0.6
	[ "$(samples data | wc -l)" -eq 0 ]
	control enable
	sleep 0.6
	control disable
	sleep 0.6
	before=$(samples data | wc -l)
	[ "$before" -gt 10 ]
	sleep 0.6
	[ "$(samples data | wc -l)" -eq "$before" ]
	control stop
	wait "$pid"
	[ "$(samples data | wc -l)" -eq "$before" ]
	all_read data
	"$perfstamp" check data
}

@test "--control by file descriptor; what is no command is told; its end is none of ours" {
	printf 'ping\nfaster\n\nping\n' >commands
	"$perfstamp" record -e cpu-clock -o data --control fd:7,8 -- "$tools/worker" 300 \
		7< <(cat commands) 8>answers 2>stderr
	[ "$(cat answers)" = $'ack\nack' ]
	grep -qx "perfstamp record: --control: 'faster' is none of enable, disable, stop and ping" stderr
	[ "$(samples data | wc -l)" -gt 5 ]
	run -1 --separate-stderr record -o data --control fd:99 -- true
	[[ $stderr == *"--control: file descriptor 99: "* ]]
	run -1 --separate-stderr record -o data --control fifo:none -- true
	[[ $stderr == *"--control: none: No such file or directory" ]]
	run -2 record -o data --control stdin -- true
}
