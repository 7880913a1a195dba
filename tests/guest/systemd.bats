#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The unit, as it is delivered, under systemd as the first process of a machine. One boot goes
# through its life (tests/lib/systemd_guest.sh); the tests look at what was seen.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	scripts/guest --systemd --timeout 1800 --out "$BATS_FILE_TMPDIR" 6.12 -- \
		bash tests/lib/systemd_guest.sh >"$BATS_FILE_TMPDIR/said" 2>&1 || echo "status $?" >>"$BATS_FILE_TMPDIR/said"
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	bats_require_minimum_version 1.5.0
	cd "$BATS_FILE_TMPDIR" || return
	root=$OLDPWD
	perfstamp=$(realpath "$root/${OUTPUT:-.output}")/perfstamp
	cat said log || true
	[ ! -e trouble ] || cat trouble
}

# has FILE LINE...: each of them stands there.
has() {
	local line

	for line in "${@:2}"; do
		grep -qxF -- "$line" "$1" || { echo "$1 lacks: $line" && cat "$1" && return 1; }
	done
}

@test "it starts, is ready, and has its limits" {
	[ "$(cat first-process)" = systemd ]
	has started Type=notify ActiveState=active SubState=running Result=success NRestarts=0 DynamicUser=yes
	grep -q '^StatusText=record by ' started
	has limits 536870912 "50000 100000"
}

@test "it keeps the capabilities that it still needs, and can get no others" {
	[ "$(sed 's/.*=//' capabilities | tr , '\n' | sort | xargs)" = \
		"cap_bpf cap_checkpoint_restore cap_dac_read_search cap_perfmon cap_sys_ptrace cap_syslog" ]
	has status $'NoNewPrivs:\t1' $'Seccomp:\t2' $'CapAmb:\t0000000000000000' $'CapInh:\t0000000000000000'
	run ! grep -q $'^Uid:.*\t0\t' status
}

@test "its exposure is as told" {
	tail -n 1 security
	[ "$(tail -n 1 security | sed 's/.*: \([0-9]*\)\.\([0-9]\) .*/\1\2/')" -le 25 ]
}

@test "it writes into its directories alone, for itself alone" {
	run ! grep -vE '^(700 d /var/lib/private/perfstamp|600 f /var/lib/private/perfstamp/perf\.data[.0-9]*|755 d /run/perfstamp|600 s /run/perfstamp/metrics\.sock)$' written
	has written "700 d /var/lib/private/perfstamp" "600 f /var/lib/private/perfstamp/perf.data"
	# The root, and what is on it.
	awk '$5 == "/" && $6 ~ /^ro,/ { found = 1 } END { exit !found }' mounts
}

@test "it is told to read its configuration again, and goes on" {
	has reloaded ActiveState=active SubState=running NRestarts=0 "$(grep '^MainPID=' started)"
	grep -q 'perfstamp record: reload: perfstamp.keep: 2G, was 1G$' log
}

@test "the sender beside it has a user of its own, and sends what is completed with its secret" {
	cat push-log requests push-metrics
	has push-started Type=notify ActiveState=active SubState=running NRestarts=0
	has push-user perfstamp-push
	grep -q '^POST /v1development/profiles HTTP/1' requests
	grep -q $'^Authorization: Bearer sesame\r$' requests
	grep -q '^body [1-9]' requests
	has push-metrics 'perfstamp_push_files_total{result="missed"} 0' 'perfstamp_push_waiting_files 0' '# EOF'
	grep -q '^perfstamp_push_build_info{version=".*",receiver="otlp"} 1' push-metrics
	run ! grep -r sesame push-log push-left push-metrics said
}

@test "it sees the recordings and what sending takes, and writes its state alone" {
	cat push-sees push-left push-writes
	tail -n 1 push-security
	[ "$(sed 's/.*=//' push-capabilities)" = cap_dac_read_search ]
	has push-status $'NoNewPrivs:\t1' $'Seccomp:\t2'
	has push-sees /var/lib /etc/passwd /usr
	run ! grep -E '^/(etc/(shadow|credstore|perfstamp.*)|home/.*|root/.*|var/(log|cache|spool)|boot|srv|opt)$' push-sees
	# Not even that of the recordings.
	[ "$(cat push-writes)" = /var/lib/perfstamp-push/near ]
	[ "$(tail -n 1 push-security | sed 's/.*: \([0-9]*\)\.\([0-9]\) .*/\1\2/')" -le 21 ]
	grep -q '^600 perfstamp-push f near/push-[0-9a-f]*$' push-left
}

@test "where it stands still it is ended and begun again, and the log says why" {
	has watched ActiveState=active NRestarts=1
	grep -q 'perfstamp.service: Watchdog timeout' log
	grep -q "perfstamp.service: Failed with result 'watchdog'" log
}

@test "it ends when told, and the log says why" {
	has stopped ActiveState=inactive SubState=dead Result=success ExecMainStatus=0
	grep -q 'perfstamp record: ends: SIGTERM from process 1$' log
	run ! grep -q 'status 1' said
}

id() {
	readelf -n "$root/${OUTPUT:-.output}/tools/$1" | awk '/Build ID/ { print $3 }'
}

@test "what was recorded opens in stock perf, and has the identity of what ran" {
	local file n=0 finished
	for file in recordings/*; do
		"$root/scripts/perf" newest script -i "$file" -F comm,pid,time,ip,dso 2>perf.err >samples
		# All that the one lacks that was cut off is what comes at the end.
		run ! grep -v 'perf.data is missing HEADER_NRCPUS' perf.err
		[ "$(wc -l <samples)" -ge 20 ]
		n=$((n + 1))
	done
	[ "$n" -eq 3 ]
	# What the first had not finished has a name by its time, too, and sorts before.
	finished=(recordings/perf.data.2*)
	[ "${#finished[@]}" -eq 3 ]
	"$perfstamp" check "${finished[0]}"
	"$perfstamp" check "${finished[2]}"
	grep -q "perfstamp record: an earlier recorder left /var/lib/perfstamp/${finished[1]#*/}: it is incomplete " log
	for file in recordings/*; do "$perfstamp" list "$file"; done | sort -u >identities
	cat identities
	# Of the one that runs all the time, and of the first of those that lived briefly.
	has identities "$(id worker) /usr/bin/unit-worker" "$(id brief) /usr/bin/unit-brief"
	[ "$(grep -c ' /usr/bin/unit-worker$' identities)" -eq 1 ]
}
