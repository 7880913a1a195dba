#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Options of record for which perf's users reach beyond the everyday ones, judged by stock
# perf: what it reads, and that it has nothing to complain about.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

teardown() {
	recording__end
	[ -z "${cgroup-}" ] || rmdir "$cgroup"/{.own/..inner,.own,inner,} 2>/dev/null || true
}

@test "perf's options on build-ids are taken, say one sentence, and change nothing" {
	run -0 --separate-stderr record -BN --no-buildid --no-buildid-cache --buildid-all \
		--buildid-mmap --no-buildid-mmap -o data -- true
	[ "$(grep -c "options on build-ids have no effect" <<<"$stderr")" -eq 1 ]
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
	record --verbose --pid "${ids[0]}" -o data -- "${a_while[@]}"
	[ "$(samples data | jq .pid | sort -u)" = "${ids[0]}" ]
	record --tid "${ids[1]}" --count 1000000 -o data -- "${a_while[@]}"
	[ "$(samples data | jq .tid | sort -u)" = "${ids[1]}" ]
	[[ $(event_of data) == *"{ sample_period, sample_freq }: 1000000,"* ]]
}

@test "--call-graph dwarf copies registers and stack, and all perfs unwind them" {
	local file version
	# Stacks fill rings.
	# shellcheck disable=SC2034 # record takes it
	room=(-m 32M --map-ring-size 8M)
	start_worker 20000
	record -F 500 --call-graph dwarf -o data -- "$tools/worker" 200
	record -F 500 --call-graph dwarf,4090 --rung MMAP2 -o native -- "$tools/worker" 200
	record -F 500 --call-graph dwarf -o running -p "${ids[0]}" -- "${a_while[@]}"
	for file in data native running; do
		all_read "$file"
		for version in "${perfs[@]}"; do
			# Up to main and beyond, without frame pointers in libc.
			[ "$(perf "$version" script -i "$file" -F ip,sym | grep -c "__libc_start")" -gt 5 ]
		done
		"$perfstamp" check "$file"
		[ "$(samples "$file" | wc -l)" -gt 5 ]
	done
	[[ $(event_of data) == *"|REGS_USER|STACK_USER"*"exclude_callchain_user: 1"*"sample_stack_user: 8192"* ]]
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
	start_worker -t 2 200000
	record --namespaces -o data -p "${ids[0]}" -- "${a_while[@]}"
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
	"$perfstamp" dump --json data | jq -r 'select(.type == "CGROUP").path // empty' | sort >paths
	grep -qx "/perfstamp-test-$$" paths
	# Each once.
	[ -z "$(uniq -d paths)" ]
	[[ $(event_of data) == *"|CGROUP"* ]]
	[[ $(event_of without) != *"|CGROUP"* ]]
	"$perfstamp" check data
}

@test "the cgroups of a service may have names that begin with dots" {
	local mount=/sys/fs/cgroup
	[ "$(stat -fc %T "$mount")" = cgroup2fs ] || mount=/sys/fs/cgroup/unified
	[ "$(stat -fc %T "$mount")" = cgroup2fs ] || skip "cgroup2 is not mounted"
	cgroup=$mount/perfstamp-test-$$
	mkdir -p "$cgroup/.own/..inner"
	start sleep 600
	echo "$pid" >"$cgroup/.own/..inner/cgroup.procs"
	record --all-cgroups -o data -- true
	"$perfstamp" dump --json data | jq -r 'select(.type == "CGROUP").path // empty' >paths
	grep -qxF "/perfstamp-test-$$/.own/..inner" paths
	grep -qxF "/perfstamp-test-$$/.own" paths
}

@test "-D begins sampling later, and with -1 not at all" {
	local first
	# Without it, it is the first millisecond, each time; but the exec may come late.
	for _ in {1..5}; do
		run -0 --separate-stderr record -D 1000 -o data -- "$tools/worker" -t 1 -c 3000
		first=$("$perfstamp" dump --json data |
			jq -s 'map(select(.type == "COMM" and .exec).time_ns)[0] as $exec |
				(map(select(.type == "SAMPLE").time_ns) | min) - $exec | . / 1000000 | floor')
		[ "$first" -lt 300 ] || break
	done
	[ "$first" -ge 300 ]
	[ "$(workers_of newest data)" = "worker_child worker_main worker_thread" ]
	is_valid data
	record -D -1 -o data -- "$tools/worker" 200
	[ "$(samples data | wc -l)" -eq 0 ]
	"$perfstamp" list data | grep -q " $tools/worker$"
	record --delay 0 -o data -- "$tools/worker" 200
	[ "$(samples data | wc -l)" -gt 5 ]
	# It ends in time, however long the delay.
	timeout 120 "$perfstamp" record -e cpu-clock -D 100000000 -o data -- "$tools/worker" 100
	run -2 record -D soon -o data -- true
	# In spans, with a pause between them; both end with the last, and end the worker.
	run -143 --separate-stderr record -D 100-400,800-1100 -o data -- "$tools/worker" 60000
	run -143 --separate-stderr perf newest record -e cpu-clock -D 100-400,800-1100 -o theirs -- "$tools/worker" 60000
	for data in data theirs; do
		"$perfstamp" dump --json "$data" | jq 'select(.type == "SAMPLE").time_ns' | sort -n |
			awk -v name="$data" 'NR == 1 { begin = $1 } NR > 1 && $1 - last > pause { pause = $1 - last }
				{ last = $1 } END { print name, NR, int(pause / 1e6), int((last - begin) / 1e6) }'
	done | tee spans
	awk '$3 < 200 || $4 < 400 || $2 < 20 { bad = 1 } END { exit bad || NR != 2 }' spans
	# Also from the exec on, and of single tasks: without BPF their events begin with it.
	"$tools/without_bpf" "$perfstamp" record -q -e cpu-clock -D 0-100,300-600 -o data \
		-- "$tools/worker" 60000 || [ $? -eq 143 ]
	"$perfstamp" dump --json data | jq -s 'map(select(.type == "SAMPLE").time_ns) | [min, max] | .[1] - .[0]' |
		tee span
	[ "$(<span)" -gt 200000000 ]
	for data in 10- '10-20,' 20-10 10-20,15-30 -10 10-20-30; do
		run -2 record -D "$data" -o data -- true
	done
}

@test "-u records the processes of a user, with their children" {
	# A number that no one here has.
	local user=397531
	start setpriv --reuid "$user" --clear-groups "$tools/worker" -t 1 -c 20000
	await pgrep -U "$user" worker
	record -u "$user" -o data -- "${a_while[@]}"
	all_read data
	[ "$(samples data | jq .pid | sort -u | wc -l)" -ge 1 ]
	[ "$(workers_of newest data)" != "" ]
	[ "$(for one in $(samples data | jq .pid | sort -u); do ps -o ruid= -p "$one" | tr -d ' '; done | sort -u)" = "$user" ]
	run -1 --separate-stderr record -u no-such-user -o data -- true
	[[ $stderr == *"user 'no-such-user' does not exist" ]]
	run -1 --separate-stderr record -u 397532 -o data -- true
	[[ $stderr == *"user '397532' has no process" ]]
	run -2 record -u "$user" -p $$ -o data -- true
}

@test "-z compresses, in a file and in a pipe, and everything is read back" {
	local file version
	record -g -o plain -- "$tools/worker" -t 1 -c 300
	record -z -g -o data -- "$tools/worker" -t 1 -c 300
	record -z22 -o - -- "$tools/worker" 200 >pipe
	record --compression-level=3 -F 500 --call-graph dwarf -m 32M -o large -- "$tools/worker" -t 1 300
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
	await has_samples data 500
	kill -KILL "$pid"
	wait "$pid" || true
	for version in "${perfs[@]}"; do
		perf "$version" script -i data -F ip,sym 2>script.err | grep -q worker_main
		[ "$(perf "$version" script -i data -F event 2>script.err | grep -c cpu-clock)" -eq "$(samples data | wc -l)" ]
	done
}

# Gives COMMAND to the recorder and waits for its answer. Descriptor 9 keeps ack open: what
# is in a FIFO goes with its last user, and the recorder's last answer is to "stop".
control() {
	local line

	echo "$1" >ctl
	read -r -t 120 line <&9
	[ "$line" = ack ]
}

@test "--control starts, pauses and ends sampling, and answers" {
	local off
	mkfifo ctl ack
	exec 9<>ack
	start_worker 600000
	start_recording -D -1 --control fifo:ctl,ack -p "${ids[0]}"
	control ping
	sleep 0.6
	[ "$(samples data | wc -l)" -eq 0 ]
	control enable
	await has_samples data 20
	control disable
	read -r off _ </proc/uptime
	sleep 0.6
	control stop
	wait "$pid"
	samples data | jq -se --argjson off "$off" 'map(.time_ns) | max / 1e9 < $off + 0.1'
	all_read data
	"$perfstamp" check data
}

@test "--control by file descriptor; what is no command is told; its end is none of ours" {
	printf 'ping\nfaster\n\nping\n' >commands
	"$perfstamp" record -e cpu-clock -o data --control fd:7,8 -- "$tools/worker" 300 \
		7< <(cat commands) 8>answers 2>stderr
	[ "$(cat answers)" = $'ack\nack' ]
	grep -qx "perfstamp record: --control: unknown command 'faster'; expected enable, disable, evlist, snapshot, stop or ping" stderr
	[ "$(samples data | wc -l)" -gt 5 ]
	run -1 --separate-stderr record -o data --control fd:99 -- true
	[[ $stderr == *"--control: file descriptor 99: "* ]]
	run -1 --separate-stderr record -o data --control fifo:none -- true
	[[ $stderr == *"--control: none: No such file or directory" ]]
	run -2 record -o data --control stdin -- true
}

@test "groups are counted together, and all perfs know them as groups" {
	local version
	record_group() { "$perfstamp" record -F 500 "$@" -- "$tools/worker" 200; }
	record_group -e 'mine:{cpu-clock,task-clock},page-faults' -o data
	record_group -e '{cpu-clock,task-clock}:S' -o counts
	record_group -e '{cpu-clock:k,task-clock}:u' -o - >pipe
	all_read data
	all_read counts
	all_read pipe
	for version in "${perfs[@]}"; do
		[ "$(perf "$version" evlist -g -i data | head -n 1)" = "mine{cpu-clock,task-clock}" ]
		# From a pipe none of them reads groups.
		perf "$version" evlist -i pipe | grep -q "^task-clock:u"
		# Each sample of the leader has a count of either.
		[ "$(perf "$version" script -i counts -F event | sort | uniq -c | awk '{ print $1 }' | uniq | wc -l)" -eq 1 ]
		perf "$version" script -i counts -F event,period | awk '/task-clock/ { n += $1 } END { exit !(n > 20e6) }'
	done
	[[ $(event_of counts) == *"|READ|"*"read_format: ID|GROUP|LOST"* ]]
	"$perfstamp" dump -H data | grep -q 'mine of 2 from event 0 on'
	"$perfstamp" check counts
	run -1 --separate-stderr record_group -e '{cpu-clock,task-clock' -o data
	[[ $stderr == *"the closing brace is missing" ]]
}

@test "an event's own terms go before the options" {
	record -F 500 -g -e 'task-clock/period=3000000,name=mine,call-graph=no/u' \
		-e 'page-faults/call-graph=dwarf,stack-size=1024,no-inherit/' -o data -- "$tools/worker" 200
	all_read data
	perf newest evlist -v -i data >events
	grep -q "^mine: .*sample_freq }: 3000000, sample_type: IP|TID|TIME|IDENTIFIER,.* exclude_kernel: 1" events
	grep -q "^page-faults/.*|REGS_USER|STACK_USER|.*sample_stack_user: 1024" events
	run -1 grep "^page-faults.* inherit: 1" events
	run -1 --separate-stderr record -e cpu-clock/ratio-to-prev=0.5/ -o data -- true
	[[ $stderr == *"perfstamp has no term ratio-to-prev"* ]]
}

# How many samples FILTER lets through of a worker's.
filtered() {
	record -q -F 500 --filter "$1" -o data -- "$tools/worker" -t 1 -c 200 >worker.out
	"$perfstamp" check --json data | jq .samples
}

@test "--filter keeps what it lets through, of events of all kinds" {
	[ "$(filtered 'comm == worker')" -gt 10 ]
	[ "$(filtered 'comm == work*, uid == 0 || uid > 0')" -gt 10 ]
	[ "$(filtered 'comm != worker')" -eq 0 ]
	[ "$(filtered 'comm == worke')" -eq 0 ]
	[ "$(filtered 'pid == 1 || tid == 1')" -eq 0 ]
	[ "$(filtered 'pid == 1, comm == worker')" -eq 0 ]
	[ "$(filtered 'ip > 0xffff000000000000')" -eq "$(samples data | jq 'select(.mode == "kernel")' | grep -c mode)" ]
	# Each event has its own.
	"$perfstamp" record -e cpu-clock --filter 'comm == none' -e task-clock --filter 'period > 0' \
		--filter 'ip < 0xffff000000000000' -o data -- "$tools/worker" 200
	[ "$(perf newest script -i data -F event | sort -u | tr -d ' :')" = task-clock ]
	[ "$(samples data | jq -r .mode | sort -u)" = user ]
	start_worker -t 1 -c 20000
	record -F 500 -o data -p "${ids[0]}" --filter "tid == ${ids[1]}" -- "${a_while[@]}"
	[ "$(samples data | jq .tid | sort -u)" = "${ids[1]}" ]
	(with_tracefs record -q -e sched:sched_process_exec --filter 'filename ~ "*true"' \
		-e sched:sched_process_fork -o data -- sh -c '/bin/true; /bin/echo')
	[ "$(perf newest script -i data -F event,trace | grep -c exec:)" -eq 1 ]
	run -1 --separate-stderr record --filter 'cpu == 0' -o data -- true
	[[ $stderr == *"--filter: cpu needs PERF_SAMPLE_CPU: add --sample-cpu" ]]
	run -1 --separate-stderr "$perfstamp" record --filter 'pid == 1' -e cpu-clock -o data -- true
	[[ $stderr == *"must follow the event (-e)"* ]]
	run -1 --separate-stderr setpriv --reuid 65534 --clear-groups --bounding-set -all \
		"$perfstamp" record -e cpu-clock --filter 'pid == 1' -o /dev/null -- true
	[[ $stderr == *"it needs CAP_BPF and CAP_PERFMON (or root)" ]]
}

@test "what samples may carry is there, in all perfs" {
	local option type
	while read -r option type; do
		# shellcheck disable=SC2086 # several options
		record -q ${option//_/ } -o data -- "$tools/worker" 100
		all_read data
		"$perfstamp" check data
		[[ $(event_of data) =~ [|]${type}[|,] ]]
	done <<-'END'
		-d ADDR
		--phys-data PHYS_ADDR
		-W WEIGHT_STRUCT
		-R RAW
		-P_-c_1000000 PERIOD
		--sample-cpu CPU
		--sample-mem-info DATA_SRC
		-Iip,sp REGS_INTR
		--user-regs=ip REGS_USER
	END
	# As with perf's own -d.
	record -q -d -o data -- "$tools/worker" 100
	perf newest report -i data --mem-mode --stdio 2>report.err | grep -q worker_main
	record -q -d --no-data -o data -- "$tools/worker" 100
	[[ ! $(event_of data) =~ [|](ADDR|DATA_SRC)[|,] ]]
	record -q --data-page-size --code-page-size -o data -- "$tools/worker" 100
	all_read data
	perf newest script -i data -F code_page_size | grep -q 4K
	record -q -s --switch-events --data-mmap -o data -- "$tools/worker" -t 1 100
	all_read data
	[ "$(count data '.type == "SWITCH" and .in')" -gt 0 ]
	perf newest script -D -i data >dump 2>dump.err
	[ "$(count data '.type == "SWITCH" and .out')" -eq "$(grep -c 'PERF_RECORD_SWITCH OUT' dump)" ]
	[ "$(count data '.type == "READ"')" -gt 0 ]
	[ "$(count data '.type == "MMAP2" and .data')" -gt 0 ]
	record -q -n -s -o data -- "$tools/worker" 100
	[ "$(samples data | wc -l)" -eq 0 ]
	record -q -g --user-callchains -F 999 -o data -- "$tools/worker" 100
	[[ $(event_of data) == *"exclude_callchain_kernel: 1"* ]]
	run -1 --separate-stderr record -b -o data -- true
	[[ $stderr == *"keeps no record of branches (-b, -j)"* ]]
	run -0 record '-I?' -o data -- true
	[[ $output == "available registers: "* ]]
}

@test "perf's configuration files give defaults, and options overrule them" {
	cat >config <<-'END'
		[call-graph]
			record-mode = dwarf ; as perf's
			dump-size = 1024
		[perfstamp]
			rung = MMAP2
		[ui] show-headers
	END
	export PERF_CONFIG=$PWD/config
	# perf reads it, too, and finds nothing wrong.
	perf newest version
	run -0 --separate-stderr record -v -g -o data -- true
	[[ $stderr == *"rung MMAP2;"* ]]
	[[ $(event_of data) == *"sample_stack_user: 1024"* ]]
	record -q --call-graph fp --rung kprobe -o data -- true
	[[ $(event_of data) != *"STACK_USER"* ]]
	record -q -o data -- true
	[[ $(event_of data) != *"CALLCHAIN"* ]]
	echo '[call-graph] record-mode = best' >config
	run -1 --separate-stderr record -g -o data -- true
	[[ $stderr == *"$PWD/config:1: call-graph.record-mode is 'best'; it may be fp, dwarf"* ]]
	# Another user's is not read, and that is told.
	chown nobody config
	run -0 --separate-stderr record -g -o data -- true
	[[ $stderr == *"warning: $PWD/config belongs to another user and is ignored"* ]]
	chown root config
	unset PERF_CONFIG
	cp config "$HOME/.perfconfig"
	run -1 record -g -o data -- true
	PERF_CONFIG_NOGLOBAL=1 record -q -g -o data -- true
	rm "$HOME/.perfconfig"
}

# The numbers of the first sample and of the last mapping that was there before.
tail_of() {
	"$perfstamp" dump --json "$1" | jq -r '.type + " " + (.snapshot // false | tostring)' >records
	first=$(grep -n '^SAMPLE' records | head -n 1 | cut -d : -f 1)
	last=$(grep -n '^MMAP2 true' records | tail -n 1 | cut -d : -f 1)
}

@test "--tail-synthesize tells at the end what was there before, and all samples resolve" {
	local file first last option version
	start_worker -t 1 -l -c 60000
	for option in -q "-z --rung MMAP2"; do
		# shellcheck disable=SC2086 # an option with its value
		record -q $option --tail-synthesize -g -o data -p "${ids[0]}" -- "$tools/worker" 1200
		# shellcheck disable=SC2086
		record -q $option --tail-synthesize -g -o - -p "${ids[0]}" -- "$tools/worker" 1000 >pipe
		for file in data pipe; do
			all_read "$file"
			"$perfstamp" check "$file"
			tail_of "$file"
			[ "$last" -gt "$first" ]
			for version in "${perfs[@]}"; do
				perf "$version" script -i "$file" -F comm,ip,sym,dso -G 2>perf.err >samples
				grep -q worker_main samples
				run -1 unmapped samples
				run -1 grep '^:' samples
			done
			run -1 grep FINISHED_ROUND <(sed -n "${first},${last}p" records)
		done
	done
	# Processes that have begun since were seen, and those that are gone are not told of.
	"$perfstamp" dump --json data | jq -r 'select(.type == "FORK" and .time_ns == 0).pid' | sort -u >told
	[ "$(cat told)" = "${ids[0]}" ]
	record -q --tail-synthesize -o data -- "$tools/worker" 200
	all_read data
}

@test "options of perf that are not ours say so" {
	run -0 --separate-stderr record --affinity=cpu --aio --no-buffering -r 1 --timestamp-boundary -o data -- true
	[ "$(grep -c "has no effect: " <<<"$stderr")" -eq 3 ]
	run -0 --separate-stderr record --threads=cpu -o data -- true
	[[ $stderr == *"--threads has no effect: one thread writes the samples"* ]]
	[ -f data ]
	run -2 --separate-stderr record --off-cpu -o data -- true
	[[ $stderr == *"--off-cpu of perf is not supported, because waiting threads are not sampled"* ]]
	run -2 record --synth=none -o data -- true
	run -0 record --dry-run -o none -- true
	[ ! -e none ]
	start_worker 20000
	record -q --synth=no -o data -p "${ids[0]}" -- sleep 0.2
	[ "$("$perfstamp" list --user data | wc -l)" -eq 0 ]
	# Threads without their mappings, and both.
	record -q --synth=task -o data -p "${ids[0]}" -- sleep 0.2
	[ "$("$perfstamp" list --user data | wc -l)" -eq 0 ]
	[ "$(count data '.type == "COMM" and .comm == "worker"')" -eq 1 ]
	record -q --synth=mmap -o data -p "${ids[0]}" -- sleep 0.2
	"$perfstamp" list --user data | grep -q " $tools/worker$"
	[ "$(count data '.type == "COMM" and .comm == "worker"')" -eq 1 ]
	run -1 --separate-stderr record -F 100000000 --strict-freq -o data -- true
	[[ $stderr == *"--strict-freq does not allow less" ]]
	run -2 record -G a -p 1 -o data -- true
}

@test "thousands of threads are recorded, in a file and in a pipe, whatever ulimit -n" {
	local n version
	# Two events for each thread and CPU, and more ids than one record of a pipe has room for.
	n=$((($(ulimit -Hn) - 400) / 2 / $(nproc)))
	[ "$n" -lt 4200 ] || n=4200
	start "$tools/threads" "$n" >threads
	await grep -q ready threads
	ulimit -Sn 1024
	record -o data -p "$pid" -- "${a_while[@]}"
	record -o - -p "$pid" -- "${a_while[@]}" >pipe
	for version in "${perfs[@]}"; do
		for file in data pipe; do
			[ "$(perf "$version" script -i "$file" -F tid | sort -u | xargs)" = "$pid" ]
		done
	done
	"$perfstamp" check data
	"$perfstamp" check pipe
}

@test "a breakpoint samples each access of an address, as perf's does" {
	local version
	gcc -O1 -no-pie -o writes -x c - <<<'volatile int counter;
		int main(void) { for (int i = 0; i < 1000; i++) counter = i; return 0; }'
	address=0x$(nm writes | awk '$3 == "counter" { print $1 }')
	perf newest record -q -e "mem:$address:w:u" -o theirs -- ./writes ||
		skip "this machine has no breakpoints"
	"$perfstamp" record -q -e "mem:$address/4:w:u" -o data -- ./writes
	[ "$(samples data | wc -l)" -eq 1000 ]
	[ "$(samples theirs | wc -l)" -eq 1000 ]
	for version in "${perfs[@]}"; do
		perf "$version" script -i data -F comm,ip,sym | awk '{ print $1, $3 }' | sort | uniq -c >names
		cat names
		[ "$(xargs <names)" = "1000 writes main" ]
	done
}

@test "with --latency perf counts the threads of a command that run" {
	# One thread: never more than one, as in a recording of perf.
	record -q --latency -F 999 -o data -- "$tools/worker" 200
	run -0 --separate-stderr perf newest report --stdio -i data -s parallelism
	[ "$(awk '/%/ { print $1, $NF }' <<<"$output")" = "100.00% 1" ]
	# Where events are recorded together, records have another end.
	record -q --latency -e page-faults -o data -- "$tools/worker" 200
	all_read data
	"$perfstamp" check data
	record -q --latency -o - -- "$tools/worker" 200 | perf newest script --show-switch-events -i - >script.out 2>script.err
	[ ! -s script.err ]
	[ "$(grep -c 'PERF_RECORD_SWITCH OUT' script.out)" -ge 1 ]
}

@test "switches are undone by perf's negations" {
	local switch

	record -q -o plain -- true
	for switch in all-cpus data phys-data data-page-size sample-cpu all-user all-kernel call-graph=fp \
		all-cgroups data-mmap switch-events latency per-thread; do
		record -q "--$switch" "--no-${switch%=*}" -o data -- true
		[ "$(event_of data)" = "$(event_of plain)" ] || { echo "$switch" && event_of data && return 1; }
	done
	record -q --raw-samples --no-raw-samples --stat --no-stat -o data -- true
	[[ $(event_of data) != *"|RAW"* && $(event_of data) != *inherit_stat* ]]
	record -q --no-inherit --inherit --no-samples --samples --no-bpf-event --bpf-event \
		--no-buffering --buffering -o data -- true
	[ "$(event_of data)" = "$(event_of plain)" ]
	# What perf would leave out, and is always there.
	run -0 --separate-stderr record --no-period --no-timestamp -o data -- true
	# shellcheck disable=SC2154 # set by run
	[[ $stderr == *"--no-period has no effect: "*"--no-timestamp has no effect: "* ]]
	run -2 record --no-such-option -o data -- true
}
