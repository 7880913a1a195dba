#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What a machine can refuse that the host of the tests does not: lockdown, no BTF, a
# strict perf_event_paranoid; and what would disturb others there: whole machines.
# shellcheck disable=SC2016 # what a guest's shell is to expand
# shellcheck disable=SC2154 # stderr

setup() {
	bats_require_minimum_version 1.5.0
	cd "$BATS_TEST_DIRNAME/../.." || return
	out=$BATS_TEST_TMPDIR
	perfstamp=${OUTPUT:-.output}/perfstamp
	tools=${OUTPUT:-.output}/tools
}

# guest OPTION... KERNEL SCRIPT: runs it with $1 the program and $2 the directory of tools.
guest() {
	local options=("${@:1:$#-1}")

	run --separate-stderr scripts/guest --out "$out" "${options[@]}" -- \
		bash -c "${!#}" - "$perfstamp" "$tools"
	echo "$output"
	echo "$stderr"
}

@test "lockdown=confidentiality: the kernel's own records are used, and it is told why" {
	local version
	guest --append "lockdown=confidentiality lsm=lockdown,capability" 6.12 '
		grep -q "\[confidentiality\]" /sys/kernel/security/lockdown || exit 99
		"$1" record -e cpu-clock -F 999 -m 4M -o /tmp/data -- "$2/worker" -t 1 -c 500 >/out/worker 2>/out/record || exit 98
		"$1" check /tmp/data >/out/check || exit 97
		for version in 6.1 6.12 newest; do
			scripts/perf $version script -i /tmp/data -F ip,sym >/out/$version || exit 96
		done
		"$1" doctor >/out/doctor'
	# What doctor finds wanting is its status.
	[ "$status" -eq 1 ]
	grep -q "BPF programs cannot be used: .*the kernel is locked down (lockdown=confidentiality); the kernel's own MMAP2 records are used instead" "$out/record"
	grep -Eq ' samples, [0-9.]+% identified.* 0 lost; ' "$out/record"
	# Every mapping of a file has an identity.
	others=$(sed -n '/^  with neither/,/^samples/p' "$out/check" | grep '^    ' | grep -v '^    anonymous ' || true)
	[ -z "$others" ]
	grep -q '^! lockdown  *confidentiality$' "$out/doctor"
	for version in 6.1 6.12 newest; do
		[ "$(grep -o 'worker_[a-z]*' "$out/$version" | sort -u | xargs)" = \
			"worker_child worker_main worker_thread" ]
	done
}

@test "lockdown=integrity: nothing is amiss" {
	guest --append "lockdown=integrity lsm=lockdown,capability" 6.12 '
		"$1" record -v -e cpu-clock -F 999 -m 4M -o /tmp/data -- "$2/worker" 500 >/out/worker 2>/out/record || exit 98
		"$1" check /tmp/data'
	[ "$status" -eq 0 ]
	grep -q 'rung kprobe' "$out/record"
}

@test "no BTF, and perf_event_paranoid=3: each is told, and what may be is recorded" {
	guest 6.1 '
		mount -t tmpfs none /sys/kernel/btf
		"$1" record -e cpu-clock -F 999 -m 4M -o /tmp/data -- "$2/worker" 500 >/out/worker 2>/out/no-btf || exit 98
		"$1" check /tmp/data >/out/check || exit 97
		umount /sys/kernel/btf
		# Debian and others have a setting above 2, which takes all from a plain user.
		sysctl -q kernel.perf_event_paranoid=3
		cp "$1" "$2/worker" /tmp
		mkdir /tmp/nobody && chmod 777 /tmp/nobody && cd /tmp/nobody
		setpriv --reuid 65534 --regid 65534 --clear-groups /tmp/perfstamp record -e cpu-clock -F 999 \
			-o data -- /tmp/worker 500 >/out/plain.out 2>/out/plain
		echo $? >/out/status
		sysctl -q kernel.perf_event_paranoid=2
		setpriv --reuid 65534 --regid 65534 --clear-groups /tmp/perfstamp record -e cpu-clock -F 999 \
			-o data -- /tmp/worker 500 >/out/plain.out 2>/out/plain2 || exit 96
		/tmp/perfstamp check data'
	[ "$status" -eq 0 ]
	grep -q "the kernel has no BTF (CONFIG_DEBUG_INFO_BTF); the kernel's own MMAP2 records are used instead" "$out/no-btf"
	[ "$(cat "$out/status")" -eq 1 ]
	grep -q "not allowed (EACCES): kernel.perf_event_paranoid is 3; .* needs CAP_PERFMON (or root), or 'sysctl kernel.perf_event_paranoid=2'" "$out/plain"
	grep -q "kernel.perf_event_paranoid=2: the kernel is not sampled" "$out/plain2"
}

@test "hooks that are attached but never called: the next rung, and doctor tells" {
	# What is mapped after the start, in a file that this rung, or a better one, recorded.
	guest newest '
		set -e
		record() {
			"$1" record -v -e cpu-clock -o /tmp/data "${@:3}" -- sh -c "/bin/true; /bin/true" 2>/out/record.err
			rung=$(sed -n "s/.* rung \([^;]*\);.*/\1/p" /out/record.err)
			maps=$("$1" dump --json /tmp/data | jq -r "select(.type == \"MMAP2\").path" | grep -c /true)
			echo "$2: $rung $maps"
		}
		echo 0 >/sys/kernel/debug/kprobes/enabled
		record "$1" kprobes-off --rung kprobe
		grep " is not used: " /out/record.err >/out/kprobes-off
		echo 1 >/sys/kernel/debug/kprobes/enabled
		record "$1" kprobes-on --rung kprobe
		sysctl -q kernel.ftrace_enabled=0
		record "$1" ftrace-off
		"$1" doctor >/out/doctor || true
		grep " is not used: " /out/record.err >/out/ftrace-off
		sysctl -q kernel.ftrace_enabled=1
		record "$1" ftrace-on'
	[ "$status" -eq 0 ]
	# These rungs may miss one, and say so.
	grep -qx 'kprobes-off: fentry [12]' <<<"$output"
	grep -qx 'kprobes-on: kprobe 2' <<<"$output"
	grep -qx 'ftrace-off: sys_exit [12]' <<<"$output"
	grep -qx 'ftrace-on: kprobe.multi 2' <<<"$output"
	grep -q ' kprobe is not used: try: it can be attached but is not called (are kprobes disabled in /sys/kernel/debug/kprobes/enabled?)$' "$out/kprobes-off"
	grep -q ' kprobe.multi is not used: try: it can be attached but is not called: kernel.ftrace_enabled is 0$' "$out/ftrace-off"
	grep -q '^- rung kprobe.multi  *try: it can be attached but is not called: kernel.ftrace_enabled is 0$' "$out/doctor"
}

@test "a file system that goes read-only, a CPU that goes off-line, a pid that is used again" {
	local version
	guest newest '
		exec 3>/out/trace
		BASH_XTRACEFD=3
		set -ex
		modprobe loop
		truncate -s 64M /tmp/image
		mke2fs -q -t ext4 /tmp/image
		mkdir /tmp/disk
		mount "$(losetup -f --show /tmp/image)" /tmp/disk
		"$1" record -e cpu-clock -m 4M -o /tmp/disk/data -- "$2/worker" -t 1 250000 >/dev/null 2>/out/read-only &
		until [ "$(stat -c %s /tmp/disk/data 2>/dev/null || echo 0)" -gt 600000 ]; do sleep 0.2; done
		mount -o remount,abort /tmp/disk
		status=0
		wait $! || status=$?
		[ "$status" -eq 1 ]
		cp /tmp/disk/data /out/read-only.data

		cp "$2/swapped-1" /tmp/online
		cp "$2/swapped-2" /tmp/offline
		"$1" record -a -e cpu-clock -F 500 -m 4M --map-ring-size 8M -o /tmp/cpu -- bash -ec "
			cd /sys/devices/system/cpu/cpu1
			echo 0 >online
			/tmp/offline 1500
			echo 1 >online
			/tmp/online 1500" 2>/out/cpu
		"$1" check /tmp/cpu >/out/cpu.check
		scripts/perf newest script -i /tmp/cpu -F comm,ip,sym >/out/cpu.script

		cp "$2/swapped-1" /tmp/first
		cp "$2/swapped-2" /tmp/second
		"$1" record -a -e cpu-clock -F 500 -m 4M --map-ring-size 8M -o /tmp/reused -- bash -ec "
			/tmp/first 1000 &
			pid=\$!
			wait
			for try in {1..200}; do
				echo \$((pid - 1)) >/proc/sys/kernel/ns_last_pid
				/tmp/second 1000 &
				[ \$! -ne \$pid ] || break
				kill \$!
				wait \$! || true
			done
			wait
			[ \$! -eq \$pid ]
			echo \$pid >/out/pid" 2>/out/reused
		pid=$(cat /out/pid)
		"$1" check /tmp/reused >/out/reused.check
		"$1" list /tmp/reused >/out/reused.list
		for version in 6.1 6.12 newest; do
			scripts/perf $version script -i /tmp/reused --pid $pid -F time,ip,sym >/out/reused.$version
		done'
	tail -n 3 "$out/trace"
	[ "$status" -eq 0 ]
	grep -qx 'perfstamp record: /tmp/disk/data: cannot .*: Read-only file system' "$out/read-only"
	for version in 6.1 6.12 newest; do
		scripts/perf "$version" script -i "$out/read-only.data" -F comm,ip,sym >"$out/$version"
		[ "$(grep -c worker_thread "$out/$version")" -gt 100 ]
	done
	run -1 "$perfstamp" check "$out/read-only.data"
	[ "$(grep '^wrong: ' <<<"$output")" = "wrong: unfinished: the recording was not closed properly" ]
	grep -qx 'perfstamp record: CPU 1 went off-line: it will be recorded again when it comes back' "$out/cpu"
	# What is mapped meanwhile, and after it, is known.
	grep line "$out/cpu.script" | sort | uniq -c | sort -rn | head -n 5
	grep -q 'offline .*in_build_2' "$out/cpu.script"
	grep -q 'online .*in_build_1' "$out/cpu.script"
	grep -q '^no problems found' "$out/cpu.check"
	# Each of the two by its own build, in order: the work of the other is nowhere.
	[ "$(grep -cE ' /tmp/(first|second)$' "$out/reused.list")" -eq 2 ]
	for version in 6.1 6.12 newest; do
		awk '/in_build_1/ { first++; bad += second > 0 }
			/in_build_2/ { second++ }
			END { print first, second, bad + 0; exit !(first > 20 && second > 20 && !bad) }' "$out/reused.$version"
	done
}

@test "10,000 threads: all are known, in a recording of the machine and in one of the process" {
	guest --timeout 1500 newest '
		exec 3>/out/trace
		BASH_XTRACEFD=3
		set -ex
		ulimit -n 100000
		"$2/worker" -s -t 10000 250000 >/tmp/worker &
		until [ -s /tmp/worker ]; do sleep 0.2; done
		"$1" record -a -e cpu-clock -F 99 -m 4M --map-ring-size 8M -o /tmp/machine -- sleep 0.5 2>/out/machine
		"$1" record -e cpu-clock -F 99 -m 4M --map-ring-size 8M -o /tmp/process -p $! -- sleep 0.5 2>/out/process
		for file in machine process; do
			"$1" check /tmp/$file >/out/$file.check
			"$1" dump --json /tmp/$file | grep "\"type\":\"COMM\"" |
				jq "select(.comm == \"worker\").tid" | sort -u | wc -l
			scripts/perf newest script -i /tmp/$file 2>&1 >/dev/null
		done'
	tail -n 3 "$out/trace"
	[ "$status" -eq 0 ]
	# And nothing that perf complains of.
	[ "$output" = $'10001\n10001' ]
	# One mapping of each file: threads share them.
	[ "$(sed -n 's/.* \([0-9]*\) maps of .*/\1/p' "$out/process")" -lt 10 ]
}

@test "a whole machine is recorded by -a, by -C, and without any target" {
	guest newest '
		exec 3>/out/trace
		BASH_XTRACEFD=3
		set -ex
		"$2/worker" -t 1 250000 >/dev/null &
		running=$!
		"$1" record -a -e cpu-clock -F 500 -g -m 16M --map-ring-size 8M -o /tmp/all -- "$2/worker" -c 500 >/dev/null 2>/out/all
		"$1" record -a -C 1 -e cpu-clock -F 500 -m 4M -o /tmp/one -- taskset -c 1 "$2/worker" 1000 >/dev/null 2>/out/one
		"$1" record -e cpu-clock -F 500 -m 4M -o /tmp/default 2>/out/default &
		. tests/lib/await.sh
		AWAIT_SECONDS=600
		# Of the one that ran before, too.
		samples() { [ "$("$@" dump --json /tmp/default 2>/dev/null | grep "\"type\":\"SAMPLE\"" | grep -c "\"pid\":$running,")" -gt 20 ]; }
		await samples "$1"
		kill -INT $!
		wait $!
		for file in all one default; do
			"$1" check /tmp/$file >/out/$file.check
			for version in 6.1 newest; do
				scripts/perf $version script -i /tmp/$file -F cpu,pid,ip,sym,dso -G >/out/$file.$version
			done
			# The one that ran before included.
			grep -q worker_ /out/$file.newest
			"$1" dump --json /tmp/$file | jq -r "select(.type == \"SAMPLE\") | .pid" | grep -qx $running
		done
		grep -q worker_child /out/all.newest
		"$1" dump --json /tmp/one | jq "select(.type == \"SAMPLE\").cpu" | sort -u >/out/cpus
		# Every process has its name and its mappings.
		"$1" dump --json /tmp/default | jq -r "select(.type == \"COMM\") | .comm" | sort -u >/out/comms
		if grep -E "(^| )[0-9a-f]{1,15} \[unknown\] \(\[unknown\]\)" /out/default.newest; then exit 90; fi'
	tail -n 3 "$out/trace"
	[ "$status" -eq 0 ]
	[ "$(cat "$out/cpus")" = 1 ]
	grep -qx bash "$out/comms"
	grep -qx worker "$out/comms"
	grep -qx kthreadd "$out/comms"
}

@test "killed, panicked: the file that was recorded up to then opens after the machine went down" {
	local version data_end
	guest 6.12 '
		"$1" record -e cpu-clock -m 4M -o /out/data -- "$2/worker" 6000000 >/dev/null 2>&1 &
		. tests/lib/await.sh
		AWAIT_SECONDS=600
		samples() { [ "$("$@" dump --json /out/data 2>/dev/null | grep -c "\"type\":\"SAMPLE\"")" -gt 1000 ]; }
		await samples "$1"
		# What it wrote after sync could reach the disk in part.
		kill -STOP $!
		sync
		echo c >/proc/sysrq-trigger'
	[ "$status" -eq 125 ]
	for version in 6.1 6.12 newest; do
		scripts/perf "$version" script -i "$out/data" -F comm,ip >"$out/$version"
		[ "$(grep -c worker "$out/$version")" -gt 100 ]
	done
	run -1 "$perfstamp" check "$out/data"
	[ "$(grep '^wrong: ' <<<"$output")" = "wrong: unfinished: the recording was not closed properly" ]
	data_end=$(($(od -An -t u8 -j 40 -N 8 "$out/data") + $(od -An -t u8 -j 48 -N 8 "$out/data")))
	[ "$(stat -c %s "$out/data")" -ge "$data_end" ]
}
