#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What goes wrong is told in a sentence, with the right status: 0 done, 1 failed, 2 usage,
# or the workload's own. What was recorded until then is kept, and is valid.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
}

teardown() {
	recording__end
	[ -z "${open_dir-}" ] || rm -rf "$open_dir"
}

# A directory that everyone can write to, with a perfstamp that everyone can execute: this
# tree and bats's directories may be closed to others.
open_directory() {
	open_dir=$(mktemp -d)
	chmod 777 "$open_dir"
	cp "$perfstamp" "$tools/worker" "$open_dir"
	chmod 755 "$open_dir"/*
	cd "$open_dir" || return
}

# A user whom nothing else runs as: the kernel limits the rings of all of a user's processes
# together.
plain_user=$((20000 + $$ % 40000))
as_plain_user() {
	setpriv --reuid "$plain_user" --regid "$plain_user" --clear-groups "$@"
}

# refused STATUS SENTENCE COMMAND...: it has this status, and says SENTENCE (a pattern);
# nothing goes to standard output, and all of stderr is ours.
refused() {
	local wanted=$1 sentence=$2

	shift 2
	run --separate-stderr "$@"
	echo "status $status, not $wanted: $stderr"
	[ "$status" -eq "$wanted" ]
	[ -z "$output" ]
	# shellcheck disable=SC2053 # a pattern
	[[ $stderr == $sentence ]]
	[ -z "$(not_ours <<<"$stderr")" ]
}

@test "a plain user records own programs without BPF, and is told what is missing" {
	open_directory
	run -0 --separate-stderr as_plain_user ./perfstamp record -o data -- ./worker -t 1 -c 200
	echo "$stderr"
	[[ $stderr == *"BPF programs cannot be used: load: it needs root, or CAP_BPF and CAP_PERFMON; the kernel's own MMAP2 records are used instead"* ]]
	[[ $stderr == *"kernel.perf_event_paranoid="*": the kernel is not sampled,"* ]]
	# The kernel is not recorded, so that its symbols are not missed.
	[[ $stderr != *"addresses are hidden"* ]]
	[ -z "$(not_ours <<<"$stderr")" ]
	[ "$(stat -c '%u %a' data)" = "$plain_user 600" ]
	# perf 6.1 reads no one else's files.
	chown 0 data
	is_valid data
	[ "$(workers_of newest data)" = "worker_child worker_main worker_thread" ]
}

@test "a plain user is refused other users' processes, and whole CPUs" {
	open_directory
	start_worker -s 20000
	refused 1 "*thread ${ids[0]}: not allowed (EACCES): it belongs to another user, or is protected; recording it needs CAP_PERFMON (or root)" \
		as_plain_user ./perfstamp record -e cpu-clock -o data -p "${ids[0]}"
	refused 1 "*perfstamp record: not allowed (EACCES): kernel.perf_event_paranoid is *; recording whole CPUs needs CAP_PERFMON (or root), or 'sysctl kernel.perf_event_paranoid=-1'*" \
		as_plain_user ./perfstamp record -e cpu-clock -o data -a -- true
	refused 1 "perfstamp record: -r 10: not allowed (EPERM): it needs CAP_SYS_NICE (or root), or 'ulimit -r 10'" \
		as_plain_user ./perfstamp record -r 10 -e cpu-clock -o data -- true
	[ ! -e data ]
}

@test "root without some capabilities is told which, and records what it may" {
	run -0 --separate-stderr setpriv --bounding-set -bpf,-sys_admin \
		"$perfstamp" record -e cpu-clock -o data -- "$tools/worker" 200
	[[ $stderr == *"BPF programs cannot be used: load: it needs root, or CAP_BPF and CAP_PERFMON;"* ]]
	is_valid data
	[ "$(workers_of newest data)" = worker_main ]
	run -0 --separate-stderr setpriv --bounding-set -sys_admin \
		"$perfstamp" record -e cpu-clock -o data -- "$tools/worker" 200
	[[ $stderr == *"the page cache cannot be read (this requires CAP_SYS_ADMIN)"* ]]
	is_valid data
	[ "$(workers_of newest data)" = worker_main ]
	run -0 --separate-stderr setpriv --bounding-set -sys_admin,-perfmon,-bpf \
		"$perfstamp" record -e cpu-clock -o data -- "$tools/worker" 200
	[[ $stderr == *"namespaces are not recorded: this requires CAP_PERFMON"* ]]
	is_valid data
	[ "$(workers_of newest data)" = worker_main ]
	run -0 --separate-stderr setpriv --bounding-set -syslog \
		"$perfstamp" record -e cpu-clock -o data -- "$tools/worker" 200
	[[ $stderr == *"the kernel's addresses are hidden (kernel.kptr_restrict, or no CAP_SYSLOG)"* ]]
	is_valid data
}

@test "a /proc of another pid namespace, none, or no /sys: a sentence, and no recording of others" {
	# shellcheck disable=SC2016 # for the inner shells
	local -a in_another=(unshare -p -f) hide=(unshare -m bash -c 'mount -t tmpfs none "$1" && shift && "$@"' -)

	refused 1 "perfstamp record: /proc belongs to another pid namespace, which has other pids: mount the one of this namespace (unshare --mount-proc), or record in that namespace" \
		"${in_another[@]}" "$perfstamp" record -e cpu-clock -o data -p 1 -- true
	refused 1 "perfstamp watch: /proc belongs to another pid namespace, *" \
		"${in_another[@]}" "$perfstamp" watch -- true
	refused 1 "perfstamp record: /proc is not mounted, from which processes are read: mount -t proc proc /proc" \
		"${hide[@]}" /proc "$perfstamp" record -e cpu-clock -o data -- true
	refused 1 "*the kernel's BTF cannot be read: /sys is not mounted*/sys/devices/system/cpu/online: not found: mount -t sysfs sysfs /sys" \
		"${hide[@]}" /sys "$perfstamp" record -e cpu-clock -o data -- true
	[ ! -e data ]
	run -1 "${in_another[@]}" "$perfstamp" doctor
	[[ $output == *"! /proc "*"belongs to another pid namespace"* ]]
	run -1 "${hide[@]}" /sys "$perfstamp" doctor
	[[ $output == *"! BTF "*"/sys is not mounted"*"mount -t sysfs sysfs /sys"* ]]
	[[ $output != *CONFIG_DEBUG_INFO_BTF* ]]
}

@test "without BTF the kernel's own records are used, and it is told why" {
	# shellcheck disable=SC2016 # for the inner shell
	run -0 --separate-stderr unshare -m bash -c 'mount -t tmpfs none /sys/kernel/btf && "$@"' - \
		"$perfstamp" record -e cpu-clock -o data -- "$tools/worker" 200
	[[ $stderr == *"the kernel has no BTF (CONFIG_DEBUG_INFO_BTF); the kernel's own MMAP2 records are used instead"* ]]
	is_valid data
	[ "$(workers_of newest data)" = worker_main ]
	# shellcheck disable=SC2016
	run -1 unshare -m bash -c 'mount -t tmpfs none /sys/kernel/btf && "$@"' - "$perfstamp" doctor
	[[ $output == *"BTF "*"the kernel has no BTF"* ]]
}

@test "an event that is not there, or cannot be, is refused by name" {
	local event
	for event in no-such-event no:such_event cpu-clock:x r12G cpu/no=1/ cpu-clock,no-such-event ","; do
		run -1 --separate-stderr "$perfstamp" record -e "$event" -o data -- touch executed
		echo "$event: $stderr"
		[[ $stderr == "perfstamp record: "*"event"* ]]
		[ -z "$(not_ours <<<"$stderr")" ]
	done
	[ ! -e data ]
	[ ! -e executed ]
}

@test "libpfm4 is loaded for names of the processor's manual alone, and told of where it is not there" {
	run ! grep libpfm <(ldd "$perfstamp")
	mkdir none
	: >none/libpfm.so.4
	export LD_LIBRARY_PATH=$PWD/none
	refused 1 "*event 'nonsense' is not known on this machine; *need libpfm.so.4 (Debian's package libpfm4)*" \
		"$perfstamp" record -o data -e nonsense -- true
	record -q -e cpu-clock -o data -- true
	[ -s data ]
	unset LD_LIBRARY_PATH
	refused 1 "*event 'nonsense' is not known on this machine; 'perf list'*" \
		"$perfstamp" record -o data -e nonsense -- true
}

@test "a process, thread or CPU that is not there is refused by number" {
	local gone=4194304 # beyond the largest pid_max
	refused 1 "perfstamp record: there is no process $gone" record -o data -p "$gone"
	refused 1 "perfstamp record: there is no thread $gone" record -o data -t "$gone"
	refused 1 "perfstamp record: there is no process $gone" record -o data -p "$$,$gone"
	refused 1 "perfstamp record: CPU 9999 is offline or does not exist; online CPUs: *" \
		record -o data -C 9999 -- touch executed
	refused 1 "perfstamp record: CPU list '1-x': not a list like 0-3,8 (character 3)" record -o data -C 1-x -- touch executed
	[ ! -e data ]
	[ ! -e executed ]
}

@test "ring memory that is refused: the sentence names a size, and that size works" {
	open_directory
	refused 1 "*rings of 65536 pages are over the limit of locked memory: use -m *, or 'sysctl kernel.perf_event_mlock_kb=*', or CAP_IPC_LOCK" \
		as_plain_user ./perfstamp record -e cpu-clock -m 65536 -o data -- true
	[ ! -e data ]
	[[ $stderr =~ "use -m "([0-9]+), ]]
	run -0 as_plain_user ./perfstamp record -q -e cpu-clock -m "${BASH_REMATCH[1]}" -o data -- true
	refused 1 "perfstamp record: rings of 1000000000 pages: at most * are supported" \
		record -m 1000000000 -o data -- true
}

@test "memory that is refused: a sentence, and a valid file or none" {
	local limit
	# In KiB of addresses: from too little to begin to enough for all but this and that.
	for limit in 9000 12000 16000 25000 50000 100000; do
		rm -f data
		# shellcheck disable=SC2016 # for the inner shell
		run --separate-stderr bash -c 'ulimit -v "$1"; shift; "$@"' - "$limit" \
			"$perfstamp" record -e cpu-clock -o data -- "$tools/worker" 100
		echo "$limit: $status: $stderr"
		[ "$status" -le 1 ] || [ "$status" -eq 127 ]
		# What is between two limits is the libraries' matter, which differ.
		[ "$status" -eq 127 ] || [ -z "$(not_ours <<<"$stderr")" ]
		[[ $stderr != *"that can be attached to"* ]]
		[ "$status" -ne 0 ] || is_valid data
		# Refused midway, it is kept up to the last round.
		[ "$status" -eq 0 ] || [ ! -e data ] || perf newest script -i data >script.out
	done
	[ "$status" -eq 0 ]
	open_directory
	# shellcheck disable=SC2016
	refused 1 "*over the limit of locked memory: use -m *, or 'sysctl kernel.perf_event_mlock_kb=*', or CAP_IPC_LOCK" \
		as_plain_user bash -c 'ulimit -l 0; "$@"' - ./perfstamp record -e cpu-clock -m 1024 -o data -- true
	[ ! -e data ]
}

@test "more threads than files may be open: a sentence, and no file" {
	start_worker -s -t 50 20000
	# shellcheck disable=SC2016 # for the inner shell
	refused 1 "*too many files are open: each event needs one for each thread and CPU. Raise 'ulimit -n', *" \
		bash -c 'ulimit -n 100; "$@"' - "$perfstamp" record -e cpu-clock -o data -p "${ids[0]}" -- true
	[ ! -e data ]
}

@test "a low soft limit of open files: the recorder raises its own, and leaves the workload's" {
	local limit

	record -o data -- true 2>usual
	for limit in 16 24 48; do
		# shellcheck disable=SC2016 # for the inner shells
		run -0 --separate-stderr bash -c 'ulimit -Sn "$1"; shift; "$@"' - "$limit" \
			"$perfstamp" record -e cpu-clock -o data -- sh -c 'ulimit -Sn'
		[ "$output" = "$limit" ]
		echo "$stderr"
		[ "$(wc -l <<<"$stderr")" -eq "$(wc -l <usual)" ]
	done
}

# span TYPE: the times of the first and the last record of it in data.json but for the
# snapshot's, in ns.
span() {
	jq -s "map(select(.type == \"$1\" and .time_ns > 0).time_ns) | min, max" data.json
}

@test "time namespaces: a recorder in one, a workload in one, by any clock" {
	local shift clock version times
	for clock in monotonic boottime realtime; do
		# What a namespace adds may be negative, but not below its beginning.
		for shift in 100000 "-$(($(cut -d. -f1 /proc/uptime) / 2))"; do
			unshare -T --fork --monotonic "$shift" "$perfstamp" record -q -e cpu-clock \
				-k "$clock" -o data -- "$tools/worker" 200 >/dev/null
			"$perfstamp" dump --json data >data.json
			mapfile -t times < <(span MMAP2 && span SAMPLE)
			echo "-k $clock, $shift s: ${times[*]}"
			# The mappings of an exec, and then the work.
			[ $((times[0] - times[2])) -lt 20000000000 ]
			[ $((times[0] - times[2])) -gt -20000000000 ]
			[ "${times[1]}" -lt "${times[3]}" ]
			[ "$(workers_of newest data)" = worker_main ]
		done
	done
	record -q -o data -- unshare -T --fork --monotonic 100000 "$tools/worker" -t 1 -c 300
	is_valid data
	for version in "${perfs[@]}"; do
		[ "$(workers_of "$version" data)" = "worker_child worker_main worker_thread" ]
	done
}

# Into a directory so deep that files there have paths of nearly 4 KiB, of what no terminal
# should get to see.
enter_deep_directory() {
	local LC_ALL=C name

	odd=$'a\n\e[31m\t\xff\xfe"\\ \x7f\x01;`$(x)'
	name=$odd$(printf '%*s' $((255 - ${#odd})) '' | tr ' ' x)
	while [ $((${#PWD} + 256)) -lt 3840 ]; do
		mkdir "./$name" && cd "./$name" || return
	done
	deep=$odd$(printf '%*s' $((4094 - ${#PWD} - ${#odd})) '' | tr ' ' y)
	deep=${deep:0:255}
}

@test "paths of nearly 4 KiB with newlines, escapes and no UTF-8" {
	local top=$PWD command version odd deep
	enter_deep_directory
	cp "$tools/worker" "./$deep"
	record -q -o "$top/data" -- "./$deep" -t 1 -c 400
	cd "$top"
	is_valid data
	for version in "${perfs[@]}"; do
		[ "$(workers_of "$version" data)" = "worker_child worker_main worker_thread" ]
	done
	for command in list "list -v" "list --json" dump "dump --json" check "check --json"; do
		# shellcheck disable=SC2086 # words of a command
		"$perfstamp" $command data >out 2>&1
		# Nothing but lines of printable text.
		run -1 grep -aP '[\x00-\x08\x0b-\x1f\x7f]' out
		iconv -f utf-8 -t utf-8 out >/dev/null
	done
	"$perfstamp" list data >out
	# One line, which has what the path has.
	[ "$(grep -c '/a\\n\\x1b\[31m\\t\\xff\\xfe"' out)" -eq 1 ]
	[ "$(grep 'x1b' out | wc -c)" -gt 4000 ]
}

@test "an error tells of a name that would act on a terminal in one printable line" {
	run -0 --separate-stderr "$perfstamp" record -e cpu-clock -o $'d\n\e[31m.data' -- true
	# shellcheck disable=SC2154 # of bats
	[[ ${stderr_lines[-1]} == '[ perfstamp record: '*'; d\n\x1b[31m.data: '*' MB ]' ]]
	local command name=$'no\e[31m\nperfstamp: such \xff file'

	for command in list dump check report timeline 'export --pprof' kernel replaced archive "cache add" "cache --missing"; do
		# shellcheck disable=SC2086 # words of a command
		run --separate-stderr "$perfstamp" $command "$name"
		echo "$command: $status: $stderr"
		[ "$status" -eq 1 ] || [ "$command $status" = 'replaced 3' ]
		[ "${#stderr_lines[@]}" -eq 1 ]
		[[ $stderr == "perfstamp ${command%% *}: "*"no?[31m?perfstamp: such ? file"* ]]
	done
}

@test "an output that cannot be written is refused before the workload runs" {
	refused 1 "perfstamp record: cannot write none/data: No such file or directory" \
		record -o none/data -- touch executed
	refused 1 "perfstamp record: cannot write .: Is a directory" record -o . -- touch executed
	record -q -o data -- true
	mkdir -p data.old/content
	refused 1 "perfstamp record: data.old: has 'content', which is not part of a recording: *" \
		record -o data -- touch executed
	is_valid data
	[ ! -e executed ]
	open_directory
	mkdir closed
	refused 1 "*perfstamp record: cannot write closed/data: Permission denied" \
		as_plain_user ./perfstamp record -e cpu-clock -o closed/data -- touch executed
	[ ! -e executed ]
}

@test "what cannot even begin leaves an existing file alone" {
	record -q -o data -- true
	cp data before
	run -1 "$perfstamp" record -e no-such-event -o data -- true
	run -1 record -o data -p 4194304
	run -2 record -o data -F 0 -- true
	cmp data before
	[ ! -e data.old ]
}

@test "a workload that cannot be executed fails, and leaves what was there" {
	touch plain
	printf '#!/no/such/interpreter\n' >script
	chmod +x script
	record -q -o data -- true
	cp data before
	refused 1 "perfstamp record: cannot execute '/no/such/program': No such file or directory*" \
		record -o data -- /no/such/program
	refused 1 "perfstamp record: cannot execute 'no-such-program': No such file or directory*" \
		record -o data -- no-such-program
	refused 1 "perfstamp record: cannot execute './plain': Permission denied*" record -o data -- ./plain
	refused 1 "perfstamp record: cannot execute '': No such file or directory*" record -o data -- ''
	refused 1 "perfstamp record: cannot execute '.': Permission denied*" record -o data -- .
	# That only exec tells.
	refused 1 "perfstamp record: cannot execute './script': No such file or directory*" \
		record -o data -- ./script
	cmp data before
	[ ! -e data.old ]
	refused 1 "*" record -o new -- ./script
	[ ! -e new ]
	PATH=/no/such:$PATH:. run -0 record -q -o data -- true
}

@test "a workload's own status is passed on, and a signal as a shell tells it" {
	local code
	for code in 0 1 2 7 127 255; do
		run "-$code" record -o data -- sh -c "exit $code"
	done
	run -143 record -o data -- sh -c 'kill -TERM $$'
	run -139 record -o data -- sh -c 'kill -SEGV $$'
	run -137 record -o data -- sh -c 'kill -KILL $$'
	is_valid data
}

@test "SIGINT, SIGTERM and SIGHUP end a recording in order" {
	local signal
	start_worker 600000
	for signal in INT TERM HUP; do
		start_recording -q -p "${ids[0]}"
		await has_samples data 50
		stop_recording "$signal"
		[ "$status" -eq 0 ]
		is_valid data
		run -0 "$perfstamp" dump --header-only data
		[[ $output == *"rung"* ]]
	done
	# What was recorded by number goes on.
	[ -d "/proc/${ids[0]}" ]
}

@test "SIGUSR2 is ignored where there is no next file, and is not ignored by the workload" {
	start_worker 600000
	start_recording -q -p "${ids[0]}"
	kill -USR2 "$pid"
	await has_samples data 50
	stop_recording INT
	[ "$status" -eq 0 ]
	is_valid data
	# shellcheck disable=SC2016 # for the workload's shell
	run -140 "$perfstamp" record -q -e cpu-clock -o data -- sh -c 'kill -USR2 $$'
}

@test "a workload ends with its recording" {
	start_recording -q -- "$tools/worker" 600000
	await pgrep -P "$pid" -x worker
	local workload
	workload=$(pgrep -P "$pid" -x worker)
	stop_recording INT
	# That of the workload, which got SIGTERM.
	[ "$status" -eq 143 ]
	[ ! -d "/proc/$workload" ]
	is_valid data
}

@test "a second SIGINT ends it at once, with a valid file" {
	# It cannot end in order while its workload does not.
	# shellcheck disable=SC2016 # for the workload's shell
	start_recording -q -- sh -c 'trap "echo >told" TERM; echo $$ >workload; while :; do :; done'
	await test -s workload
	await has_samples data 50
	kill -INT "$pid"
	# It has taken the first: two at once would be one.
	await test -s told
	[ -d "/proc/$pid" ]
	stop_recording INT
	kill -KILL "$(cat workload)"
	[ "$status" -eq 130 ]
	is_valid data
}

@test "nohup outlives a hang-up" {
	rm -f data
	start nohup "$perfstamp" record -q -e cpu-clock "${room[@]}" -o data -p $$
	await has_records data
	kill -HUP "$pid"
	sleep 0.5
	[ -d "/proc/$pid" ]
	stop_recording INT
	[ "$status" -eq 0 ]
	is_valid data
}

@test "closed standard descriptors do no harm" {
	run -0 record -q -o data -- true <&-
	is_valid data
	"$perfstamp" record -e cpu-clock -o data -- true >&-
	is_valid data
	"$perfstamp" record -e cpu-clock -o data -- true 2>&-
	is_valid data
	"$perfstamp" record -e cpu-clock -o data -- true <&- >&- 2>&-
	is_valid data
	run -1 bash -c "'$perfstamp' record -e cpu-clock -o - -- true >&-"
	[[ $output == "perfstamp record: standard output: cannot write: Bad file descriptor"* ]]
}

@test "standard output that is a terminal is refused" {
	run -1 script -qec "'$perfstamp' record -e cpu-clock -o - -- touch executed" /dev/null
	[[ $output == *"standard output is a terminal: redirect it, or name a file with -o"* ]]
	[ ! -e executed ]
}

@test "a reader that goes away ends the recording, and its workload" {
	run timeout 120 bash -c "set -o pipefail; '$perfstamp' record -e cpu-clock -o - -- sleep 1000 | head -c 100 >/dev/null"
	[ "$status" -eq 1 ]
	[[ $output == "perfstamp record: standard output: cannot write: Broken pipe"* ]]
}

# full_disk SIZE COMMAND...: in a file system of that size, on the directory small; its
# file data is copied out.
full_disk() {
	mkdir -p small
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m bash -c 'mount -t tmpfs -o "size=$1" none small && shift && cd small || exit 99
		status=0
		"$@" || status=$?
		cp data ..
		exit "$status"' - "$@"
}

@test "a full disk: a sentence, and all that fitted is kept" {
	local version size n
	for size in 64k 300k; do
		rm -f data
		refused 1 "perfstamp record: data: cannot write: No space left on device*" \
			full_disk "$size" "$perfstamp" record -e cpu-clock -F 20000 -g "${room[@]}" -o data -- \
			sh -c "exec '$tools/worker' -t 2 3000 >/dev/null"
		n=$(sed -n 's/^\[ perfstamp record: \([0-9]*\) samples, .*/\1/p' <<<"$stderr")
		[ "$(stat -c %s data)" -ge "$((${size%k} * 1000))" ]
		for version in "${perfs[@]}"; do
			perf "$version" script -i data >script.out
		done
		# It lacks its end, and nothing else.
		run -1 "$perfstamp" check data
		[ "$(grep -c '^wrong: ' <<<"$output")" -eq 1 ]
		[[ $output == *"wrong: unfinished: "* ]]
		# The summary counts what is in the file.
		[ "$n" -eq "$("$perfstamp" dump --json data 2>/dev/null | grep -c '"type":"SAMPLE"')" ]
	done
	[ "$(grep -c worker_ script.out)" -gt 100 ]
}

# Of every file that lacks its end, the newest perf says that it does not know how many CPUs
# there were.
@test "disks of any size are full: each file opens, and lacks nothing but its end" {
	local n size version
	RANDOM=1
	# FULL_DISKS is how many.
	for ((n = 1; n <= ${FULL_DISKS:-5}; n++)); do
		rm -f data
		size=$((8 + RANDOM * 450 / 32768))k
		echo "$size"
		refused 1 "perfstamp record: data: cannot write: No space left on device*" \
			full_disk "$size" "$perfstamp" record -e cpu-clock -F 20000 -g "${room[@]}" -o data -- \
			sh -c "exec '$tools/worker' -t 2 3000 >/dev/null"
		perf newest script -i data >script.out 2>script.err
		run -1 grep -v 'missing HEADER_NRCPUS, using MAX_NR_CPUS' script.err
		if [ $((n % 5)) = 1 ]; then
			for version in 6.1 6.12; do perf "$version" script -i data >script.out; done
		fi
		run -1 "$perfstamp" check data
		[ "$(grep '^wrong: ' <<<"$output")" = "wrong: unfinished: the recording was not closed properly" ]
	done
}

@test "a file over ulimit -f: the same" {
	# shellcheck disable=SC2016 # for the inner shell
	run -1 --separate-stderr bash -c 'ulimit -f 200; "$@"' - "$perfstamp" record -e cpu-clock \
		-F 20000 -g "${room[@]}" -o data -- "$tools/worker" -t 2 3000
	[[ $stderr == "perfstamp record: data: cannot write: File too large"* ]]
	run -1 "$perfstamp" check data
	[ "$(grep '^wrong: ' <<<"$output" | cut -d: -f2)" = " unfinished" ]
	perf newest script -i data >script.out
	[ "$(grep -c worker_ script.out)" -gt 100 ]
	# What it limits is the recorder, and the workload's own limit works as ever.
	run -153 bash -c "ulimit -f 8; '$perfstamp' record -q -e cpu-clock -o /dev/null -- \
		dd if=/dev/zero of=large bs=1M count=1 status=none"
}

@test "a device that is always full" {
	refused 1 "perfstamp record: /dev/full: cannot write: No space left on device*" \
		record -o /dev/full -- true
}

@test "a wrong command line has status 2, says what is wrong, and runs nothing" {
	local call
	while IFS= read -r call; do
		# shellcheck disable=SC2086 # words of a command
		run -2 --separate-stderr "$perfstamp" record -o data $call -- touch executed
		echo "$call: $stderr"
		[[ $stderr == "perfstamp record: "* ]]
		[ -z "$output" ]
	done <<-'END'
		-F 0
		-F -1
		-F many
		-F 99999999999999999999
		-c 0
		-c 1k
		-F 100 -c 100
		-m 0
		-m 12Q
		-k lunar
		-p 0
		-p 1,
		-p abc
		-t 1;2
		-p 1 -t 1
		-a -p 1
		-a -t 1
		--call-graph dwarf,0
		--call-graph dwarf,65529
		--call-graph fp,1
		--call-graph
		--all-user --all-kernel
		--rung best
		--map-ring-size 2G
		--map-ring-size 0
		--no-such-option
	END
	[ ! -e executed ]
	[ ! -e data ]
}
