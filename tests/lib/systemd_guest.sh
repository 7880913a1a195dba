#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest in which systemd is the first process: the unit as it is delivered, from
# its start to its end. Leaves what it saw in /out, a file for each thing, and the
# recordings in /out/recordings; tests/guest/systemd.bats judges.
set -eEuo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source=await.sh
. tests/lib/await.sh
AWAIT_SECONDS=600
output=$(realpath "${OUTPUT:-.output}")
state=/var/lib/private/perfstamp

at() {
	echo "$(cut -d' ' -f1 /proc/uptime) $*"
}

show() {
	systemctl show perfstamp --timestamp=us -p Type -p ActiveState -p SubState -p Result -p MainPID -p NRestarts \
		-p StatusText -p ExecMainStatus -p MemoryMax -p CPUQuotaPerSecUSec -p DynamicUser
}

property() {
	systemctl show -P "$1" perfstamp
}

# is PROPERTY VALUE
is() {
	[ "$(property "$1")" = "$2" ]
}

log() {
	journalctl -u perfstamp --no-pager -o short-monotonic
}

has_logged() {
	log | grep -q "$1"
}

# metrics [SOCKET]
metrics() {
	perl -MIO::Socket::UNIX -e '$s = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "$!\n";
		print $s "GET /metrics HTTP/1.0\r\n\r\n"; print while <$s>' "${1-/run/perfstamp/metrics.sock}" 2>/dev/null
}

# Whether more samples than these were taken.
has_sampled() {
	metrics | awk -v n="$1" '$1 == "perfstamp_samples_total" && $2 > n { more = 1 } END { exit !more }'
}

install_it() {
	cp "$output/perfstamp" /usr/bin/perfstamp
	sed 's|@PREFIX@|/usr|' systemd/perfstamp.service >/etc/systemd/system/perfstamp.service
	sed 's|@PREFIX@|/usr|' systemd/perfstamp-push@.service >/etc/systemd/system/perfstamp-push@.service
	cp systemd/perfstamp.conf /etc/perfstamp.conf
	cp "$output/tools/worker" /usr/bin/unit-worker
	cp "$output/tools/brief" /usr/bin/unit-brief
	systemctl daemon-reload
}

# ---- One after the other ----

starts() {
	cat /proc/1/comm >/out/first-process
	await systemctl start systemd-journald
	systemctl start perfstamp
	show >/out/started
	pid=$(property MainPID)
	uid=$(stat -c %u "/proc/$pid")
	cat "/proc/$pid/status" >/out/status
	capsh --decode="$(awk '/^CapPrm/ { print $2 }' "/proc/$pid/status")" >/out/capabilities
	cgroup=/sys/fs/cgroup$(sed -n 's/^0:://p' "/proc/$pid/cgroup")
	(cd "$cgroup" && tail -n +1 memory.max cpu.max) >/out/limits
	cat "/proc/$pid/mountinfo" >/out/mounts
	systemd-analyze security perfstamp --no-pager >/out/security
}

records() {
	/usr/bin/unit-worker -t 1 1000000000 >/dev/null &
	worker=$!
	"$output/tools/forker" 50 10 /usr/bin/unit-brief >/dev/null
	await has_sampled 20
	metrics >/out/metrics
}

reloads() {
	sed -i 's/keep = 1G/keep = 2G/' /etc/perfstamp.conf
	systemctl reload perfstamp
	await has_logged 'reload: perfstamp.keep: 2G, was 1G'
	await is ActiveState active
	show >/out/reloaded
	await has_sampled "$(awk '$1 == "perfstamp_samples_total" { print $2 }' /out/metrics)"
}

# What it has written, by its user, whom systemd made up for it: nothing else is that one's.
# All but these is read-only for it, by its mounts.
writes() {
	find /run /tmp /var -xdev -uid "$uid" -printf '%m %y %p\n' | sort -u >/out/written
}

# Answers each request with 200, and writes its first lines and its size to requests.
serve() {
	perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalAddr => "127.0.0.1:4318", Listen => 5, ReuseAddr => 1)
			or die "$!\n";
		$| = 1;
		while ($c = $s->accept) {
			$n = 0;
			while (($line = <$c>) =~ /\S/) { print $line; $n = $1 if $line =~ /^content-length: (\d+)/i }
			read $c, $body, $n;
			print "body ", length $body, "\n";
			print $c "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
			close $c;
		}' >/out/requests
}

# The sender beside it: what the recorder has completed goes to a receiver on this machine.
sends() {
	local sender

	ip link set lo up
	grep '^u perfstamp-push ' systemd/sysusers.conf | systemd-sysusers -
	install -d /etc/perfstamp-push
	install -d -m 700 /etc/credstore
	echo 'PERFSTAMP_PUSH_URL=http://127.0.0.1:4318' >/etc/perfstamp-push/near.conf
	echo 'Authorization: Bearer sesame' >/etc/credstore/perfstamp-push.near.headers
	serve &
	receiver=$!
	systemctl kill --kill-who=main -s USR2 perfstamp
	systemctl start perfstamp-push@near
	at "  it has started"
	await grep -q '^body [1-9]' /out/requests
	sender=$(systemctl show -P MainPID perfstamp-push@near)
	await push_has_sent
	at "  it has sent"
	metrics /run/perfstamp-push/near/metrics.sock >/out/push-metrics
	systemctl show perfstamp-push@near -p Type -p ActiveState -p SubState -p NRestarts >/out/push-started
	cat "/proc/$sender/status" >/out/push-status
	stat -c %U "/proc/$sender" >/out/push-user
	capsh --decode="$(awk '/^CapPrm/ { print $2 }' "/proc/$sender/status")" >/out/push-capabilities
	nsenter -t "$sender" -m -r -- find / /etc /var /run /home /root /tmp -maxdepth 1 -mindepth 1 >/out/push-sees 2>/dev/null || true
	# shellcheck disable=SC2016 # of the other shell
	nsenter -t "$sender" -m -r -- bash -c 'for dir in / /usr /etc /var/lib/perfstamp "$0"; do
		! (: >"$dir/probe") 2>/dev/null || echo "$dir"; done' "/var/lib/perfstamp-push/near" >/out/push-writes
	at "  it was looked at"
	systemd-analyze security perfstamp-push@near --no-pager >/out/push-security
	systemctl stop perfstamp-push@near
	journalctl -u perfstamp-push@near --no-pager >/out/push-log
	find /run/perfstamp-push /var/lib/perfstamp-push ! -name probe -printf '%m %u %y %P\n' >/out/push-left
	kill "$receiver"
}

push_has_sent() {
	metrics /run/perfstamp-push/near/metrics.sock | grep -q '^perfstamp_push_files_total{result="sent"} [1-9]'
}

is_restarted() {
	is NRestarts 1 && is ActiveState active
}

# One that stands still is ended, and begun again.
is_watched() {
	kill -STOP "$pid"
	await is_restarted
	show >/out/watched
}

stops() {
	await has_sampled 20
	systemctl stop perfstamp
	show >/out/stopped
	kill -KILL "$worker"
	mkdir /out/recordings
	cp "$state"/* /out/recordings/
	log >/out/log
}

trap 'log >/out/log; journalctl -u "perfstamp-push@*" --no-pager >/out/push-log; systemctl status perfstamp --no-pager >/out/trouble 2>&1 || true' ERR
install_it
for step in starts records reloads writes sends is_watched stops; do
	at "$step"
	"$step"
done
at "end"
