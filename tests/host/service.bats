#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A recording that goes on as a service: what it tells systemd, its metrics, whom it does not
# wait for, which privileges it keeps, and as whom it can run. systemd is not needed: a socket
# of the test's own listens.
# shellcheck disable=SC2030,SC2031,SC2154 # a test is a shell; and recording.bash

setup() {
	load ../lib/recording.bash
	start sleep 1000
	target=$pid
	# A unix socket's path is short.
	short=$(mktemp -d)
}

teardown() {
	recording__end
	rm -rf "$short"
}

# listen NAME: what is sent to the datagram socket NAME goes to the file NAME.said.
listen() {
	start socat -u "UNIX-RECV:$short/$1" "OPEN:$1.said,creat,append"
	await [ -S "$short/$1" ]
}

# begin OPTION...: records the sleeper until it is told to stop; in $recorder.
begin() {
	rm -f data
	start "$perfstamp" record -e cpu-clock -p "$target" -o data "$@" 2>said
	recorder=$pid
	await has_records data
}

finish() {
	pid=$recorder
	kill -TERM "$recorder"
	end_by_itself
	cat said
	"$perfstamp" check data
}

ask() {
	curl -s --max-time 60 --unix-socket "$short/metrics" "http://localhost/$1"
}

# Whole and in the form that is promised: each line is a comment or a number.
is_openmetrics() {
	[ "$(tail -n 1 "$1")" = "# EOF" ]
	run ! grep -vE '^(# (TYPE|UNIT|HELP) perfstamp_[a-z_]+ .+|perfstamp_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+|# EOF)$' "$1"
	grep -q '^perfstamp_build_info{command="' "$1"
	grep -q '^perfstamp_maps_total{identity="build-id"} ' "$1"
	grep -q '^perfstamp_lost_total{cause="ring-full"} ' "$1"
	grep -qE '^perfstamp_resident_memory_bytes [1-9]' "$1"
}

@test "systemd is told that it is ready, alive and ending, and why" {
	listen notify
	export NOTIFY_SOCKET=$short/notify WATCHDOG_USEC=1000000
	begin
	await grep -q '^READY=1$' notify.said
	await grep -q '^STATUS=record by .* samples' notify.said
	await grep -q '^WATCHDOG=1$' notify.said
	finish
	await grep -q '^STOPPING=1$' notify.said
	await grep -q "^STATUS=ends: SIGTERM from process $$\|^STATUS=ends: SIGTERM from process $BASHPID" notify.said
	grep -q "^perfstamp record: ends: SIGTERM from process" said
}

@test "SIGHUP has a service read its configuration again, and tells what has changed" {
	listen notify
	export NOTIFY_SOCKET=$short/notify PERF_CONFIG=$PWD/conf
	printf '[perfstamp]\n\tswitch-output = 1G\n\tkeep = 1G\n\tmemory = 1M\n' >conf
	begin --switch-output --memory 2M
	await grep -q '^READY=1$' notify.said
	kill -HUP "$recorder"
	await grep -qx 'perfstamp record: reload: no changes' said
	await grep -q '^RELOADING=1$' notify.said
	await grep -q '^MONOTONIC_USEC=[0-9]*$' notify.said
	await is_ready_again 2
	printf '[perfstamp]\n\tswitch-output = 1s\n\tkeep = 2G,3d\n\trung = MMAP2\n' >conf
	kill -HUP "$recorder"
	await grep -qx 'perfstamp record: reload: perfstamp.switch-output: 1s, was 1G' said
	await grep -qx 'perfstamp record: reload: perfstamp.keep: 2G,3d, was 1G' said
	await grep -qx 'perfstamp record: reload: perfstamp.memory: not set, was 1M: no effect, because an option sets it' said
	await grep -qx 'perfstamp record: reload: perfstamp.rung has changed: this requires a restart' said
	await is_ready_again 3
	# It is told and done.
	await find_complete
	# What is not understood changes nothing.
	printf '[perfstamp]\n\tkeep = much\n' >conf
	kill -HUP "$recorder"
	await grep -q "^perfstamp record: reload: .*/conf:2: perfstamp.keep is 'much'; it may be .*; nothing was changed$" said
	await is_ready_again 4
	# Nor does one that is not there: nothing would bound the files.
	mv conf away
	kill -HUP "$recorder"
	await grep -q "^perfstamp record: reload: .*/conf: No such file or directory; nothing was changed$" said
	await is_ready_again 5
	# Nor what another user may write to.
	printf '[perfstamp]\n' >conf
	chown nobody conf
	kill -HUP "$recorder"
	await grep -q "^perfstamp record: reload: .*/conf belongs to another user; nothing was changed$" said
	await is_ready_again 6
	kill -TERM "$recorder"
	pid=$recorder
	end_by_itself
	for file in data.2*; do
		"$perfstamp" check "$file"
	done
}

is_ready_again() {
	[ "$(grep -c '^READY=1$' notify.said)" -ge "$1" ]
}

find_complete() {
	[ -n "$(find . -name 'data.2*')" ]
}

@test "what the configuration says of files holds where no option does, and for several files alone" {
	export PERF_CONFIG=$PWD/conf
	printf '[perfstamp]\n\tswitch-output = 1s\n\tswitch-max-files = 1\n' >conf
	begin --switch-output
	await has_removed_one
	pid=$recorder
	kill -TERM "$recorder"
	end_by_itself
	grep -q ' [1-9][0-9]* removed, ' said
	rm data.2*
	begin
	finish
	[ -e data ] && ! find_complete
	printf '[perfstamp]\n\tswitch-max-files = none\n' >conf
	run -1 "$perfstamp" record -e cpu-clock -o none -- true
	[[ $output == *"conf:2: perfstamp.switch-max-files is 'none'; it may be a number of files" ]]
}

# A complete file that is not the first one.
has_removed_one() {
	local name

	name=$(find . -name 'data.2*' | head -n 1)
	[ -n "$name" ] && [ "${first:=$name}" != "$name" ]
}

@test "each end has its reason in the log of a service" {
	export INVOCATION_ID=1
	run -0 "$perfstamp" record -e cpu-clock -o data -- true
	[[ $output == *"perfstamp record: ends: the workload has ended"* ]]
	begin
	kill -KILL "$target"
	pid=$recorder
	end_by_itself
	grep -q "^perfstamp record: ends: all recorded processes have exited$" said
	mkfifo control
	start sleep 1000
	target=$pid
	begin --control fifo:control
	echo stop >control
	pid=$recorder
	end_by_itself
	grep -q "^perfstamp record: ends: received the command stop" said
}

@test "metrics on a unix socket, for its user alone, and nothing else there" {
	begin --metrics-socket "$short/metrics"
	[ "$(stat -c %a "$short/metrics")" = 600 ]
	ask metrics >first
	is_openmetrics first
	grep -q '^perfstamp_build_info{command="record",' first
	ask '' >second
	is_openmetrics second
	[ "$(ask none)" = "" ]
	curl -si --unix-socket "$short/metrics" http://localhost/none | grep -q '^HTTP/1.0 404'
	curl -si --unix-socket "$short/metrics" -X PUT http://localhost/ | grep -q '^HTTP/1.0 405'
	curl -si --unix-socket "$short/metrics" http://localhost/metrics |
		grep -q '^Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8'
	finish
	[ ! -e "$short/metrics" ]
}

@test "metrics on a loopback address, and on no other" {
	local port address
	port=20000
	until "$perfstamp" record -q -e cpu-clock -o free --metrics-socket "127.0.0.1:$port" -- true; do
		port=$((port + 1))
		[ "$port" -lt 20100 ]
	done
	begin --metrics-socket "127.0.0.1:$port"
	curl -s --max-time 60 "http://127.0.0.1:$port/metrics" >text
	is_openmetrics text
	finish
	for address in 0.0.0.0:9000 10.0.0.1:9000 127.0.0.1 localhost:0 '[::]:9000' :9000 localhost:70000; do
		run -1 "$perfstamp" record -q -e cpu-clock -o none --metrics-socket "$address" -- true
		[[ $output == "perfstamp record: $address: expected the path of a socket, or "* ]]
		[ ! -e none ]
	done
}

@test "a socket that is left over is replaced, one that is in use is not" {
	begin --metrics-socket "unix:$short/metrics"
	run -1 "$perfstamp" record -e cpu-clock -o other --metrics-socket "$short/metrics" -- true
	[[ $output == "perfstamp record: $short/metrics is in use by another process" ]]
	kill -KILL "$recorder"
	pid=$recorder
	await is_over
	[ -S "$short/metrics" ]
	begin --metrics-socket "$short/metrics"
	ask metrics >text
	is_openmetrics text
	finish
}

is_connected() {
	ss -xnH | grep -qF "$short/metrics"
}

mute_readers() {
	local before
	begin --metrics-socket "$short/metrics"
	# One that says nothing, and behind it one that asks and never reads.
	start socat -u "UNIX-CONNECT:$short/metrics" OPEN:/dev/null
	await is_connected
	start socat -u "EXEC:'sh -c \"printf \\\"GET / HTTP/1.0\\\r\\\n\\\r\\\n\\\"; sleep 1000\"'" "UNIX-CONNECT:$short/metrics"
	before=$(stat -c %s data)
	ask metrics >text
	is_openmetrics text
	finish
	[ "$(stat -c %s data)" -ge "$before" ]
}

@test "who asks and does not read, or says nothing, holds up neither the recording nor the next" {
	each_round mute_readers
}

@test "metrics in a file: whole, 0600 unless it is there with another mode" {
	begin --metrics-file metrics.prom
	await [ -s metrics.prom ]
	is_openmetrics metrics.prom
	[ "$(stat -c %a metrics.prom)" = 600 ]
	chmod 644 metrics.prom
	finish
	is_openmetrics metrics.prom
	[ "$(stat -c %a metrics.prom)" = 644 ]
	[ "$(echo metrics.prom*)" = metrics.prom ]
}

@test "a file that cannot be written is told, and the recording goes on" {
	begin --metrics-file none/metrics.prom
	await grep -q -- '--metrics-file: cannot write none/metrics.prom: No such file or directory; perfstamp tries again' said
	finish
}

# The capabilities that a process has, in words.
capabilities() {
	capsh --decode="$(awk '/^CapPrm/ { print $2 }' "/proc/$1/status")" | sed 's/.*=//' | tr , '\n' | sort
}

@test "what is needed no more is given up when all is attached" {
	local child
	listen notify
	export NOTIFY_SOCKET=$short/notify
	begin --no-bpf-event
	await grep -q '^READY=1$' notify.said
	[ "$(awk '/^CapEff/ { print $2 }' "/proc/$recorder/status")" = "$(awk '/^CapPrm/ { print $2 }' "/proc/$recorder/status")" ]
	# None but these; which of them there are depends on what the test itself has.
	run ! grep -vxE 'cap_(sys_ptrace|checkpoint_restore|dac_read_search|bpf|perfmon|syslog)' <(capabilities "$recorder")
	[ "$(awk '/^Cap(Inh|Amb)/ { print $2 }' "/proc/$recorder/status" | sort -u)" = 0000000000000000 ]
	for child in $(pgrep -P "$recorder"); do
		run ! grep -vxE 'cap_(sys_ptrace|checkpoint_restore|dac_read_search)' <(capabilities "$child")
	done
	finish
}

as_user() {
	local all=+bpf,+perfmon,+sys_ptrace,+checkpoint_restore,+dac_read_search,+syslog

	exec setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs \
		--bounding-set "-all,$all" --inh-caps "-all,$all" --ambient-caps "-all,$all" -- "$@"
}

@test "as a user of its own, with six capabilities: another user's process is recorded" {
	local home=$short/home
	mkdir -m 700 "$home"
	cp "$perfstamp" "$home"
	chown -R 65534 "$home"
	chmod 711 "$short"
	start_worker -t 1 1000000
	start as_user "$home/perfstamp" record -e cpu-clock -p "${ids[0]}" -o "$home/data" \
		--metrics-socket "$home/metrics" 2>said
	recorder=$pid
	await has_record "$home/data" '.type == "MMAP2" and .build_id and (.path | endswith("/worker"))'
	curl -s --max-time 60 --unix-socket "$home/metrics" http://localhost/metrics >text
	is_openmetrics text
	kill -TERM "$recorder"
	end_by_itself
	cat said
	run ! grep -q 'could not be completed' said
	[ "$(stat -c '%a %u' "$home/data")" = "600 65534" ]
	"$perfstamp" check --json "$home/data" | jq -e .
	"$perfstamp" list --json "$home/data" | jq -se --arg path "$tools/worker" \
		--arg id "$(readelf -n "$tools/worker" | awk '/Build ID/ { print $3 }')" \
		'any(.[]; .path == $path and .build_id == $id)'
}

# counts_replaced N: processes.
counts_replaced() {
	ask metrics >numbers
	grep -q "^perfstamp_replaced_processes $1\$" numbers
}

@test "watch tells of itself, too" {
	listen notify
	mkfifo go
	cp /bin/sleep app
	start sh -c 'read -r line <go; exec ./app 1000'
	local shell=$pid
	export NOTIFY_SOCKET=$short/notify
	start "$perfstamp" watch -p "$shell" --metrics-socket "$short/metrics" >text 2>said
	recorder=$pid
	await grep -q '^READY=1$' notify.said
	echo >go
	await grep -q ' dso .*/app ' text
	ask metrics >numbers
	is_openmetrics numbers
	grep -qE '^perfstamp_seen_total\{kind="dso"\} [1-9]' numbers
	grep -q '^perfstamp_build_info{command="watch",' numbers
	counts_replaced 0
	cp /bin/true other
	mv other app
	await counts_replaced 1
	is_openmetrics numbers
	grep -q '^perfstamp_replaced_dsos{kind="replaced"} 1$' numbers
	kill -TERM "$recorder"
	pid=$recorder
	end_by_itself
	await grep -q '^STATUS=ends: SIGTERM' notify.said
}

@test "the unit is understood, and its exposure is as told" {
	local unit=$short/perfstamp.service
	sed "s|@PREFIX@/bin/perfstamp|$perfstamp|" "$root/systemd/perfstamp.service" >"$unit"
	run systemd-analyze verify --man=no "$unit"
	[ "$status" -eq 0 ]
	[[ $output != *perfstamp.service* ]]
	systemd-analyze security --offline=true --threshold=35 "$unit" | tail -n 1
}

@test "the DaemonSet's options are understood" {
	local -a words

	mapfile -t words < <(sed -n '/ args:/,/securityContext/s/^ *- //p' "$root/docs/daemonset.yaml")
	[ "${words[0]}" = record ]
	[ "${#words[@]}" -ge 5 ]
	"$perfstamp" "${words[@]}" --help >help
	run -2 "$perfstamp" "${words[@]}" --no-such-option --help
}
