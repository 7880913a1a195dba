#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest in which systemd is the first process: the Debian package from its installation
# over an upgrade under a running recorder to its purge, and services with replaced builds, which
# are restarted. Leaves what it saw in /out; tests/packages/service.bats judges.
# Usage: tests/packages/service_guest.sh PACKAGE NEXT_PACKAGE
set -eEuo pipefail
package=$(realpath "$1") next=$(realpath "$2")
cd "$(dirname "$(readlink -f "$0")")/../.."
# shellcheck source-path=SCRIPTDIR source=../lib/await.sh
. tests/lib/await.sh
AWAIT_SECONDS=600
output=$(realpath "${OUTPUT:-.output}")
export DEBIAN_FRONTEND=noninteractive
# systemd answers late where a guest computes slowly; systemctl waits for 25 s only.
export SYSTEMD_BUS_TIMEOUT=$AWAIT_SECONDS

at() {
	echo "$(cut -d' ' -f1 /proc/uptime) $*"
}

# The guest has its libraries, but systemd's packages were unpacked only.
install_package() {
	dpkg --force-depends -i "$1" 2>&1
}

show() {
	systemctl show "$1" -p ActiveState -p UnitFileState -p MainPID -p NRestarts
}

main_pid() {
	systemctl show -P MainPID "$1"
}

metrics() {
	perl -MIO::Socket::UNIX -e '$s = IO::Socket::UNIX->new(Peer => "/run/perfstamp/metrics.sock") or die "$!\n";
		print $s "GET /metrics HTTP/1.0\r\n\r\n"; print while <$s>' 2>/dev/null
}

samples() {
	metrics | awk '$1 == "perfstamp_samples_total" { print $2 }'
}

has_sampled() {
	[ "$(samples)" -gt "$1" ]
}

runs() {
	[ "$(readlink "/proc/$(main_pid "$1")/exe")" = "$2" ]
}

# ---- One after the other ----

installs() {
	echo perfstamp-guest >/etc/hostname
	# A guest computes slowly, and on a busy machine more than the 90 s that systemd waits.
	mkdir -p /run/systemd/system/perfstamp.service.d
	printf '[Service]\nTimeoutStartSec=infinity\n' >/run/systemd/system/perfstamp.service.d/slow.conf
	systemctl start systemd-journald
	install_package "$package" >/out/installed
	show perfstamp >>/out/installed
	systemctl start perfstamp
	show perfstamp >/out/started
	stat -c %U "/proc/$(main_pid perfstamp)" >>/out/started
	"$output/tools/worker" -t 1 1000000000 >/dev/null &
	worker=$!
	await has_sampled 20
}

upgrades() {
	local before after

	before=$(samples)
	install_package "$next" >/out/upgraded
	show perfstamp >>/out/upgraded
	await has_sampled "$((before + 20))"
	after=$(samples)
	echo "samples before $before after $after" >>/out/upgraded
	metrics >/out/metrics
	systemctl restart perfstamp
	show perfstamp >/out/restarted
	await has_sampled 20
	systemctl stop perfstamp
	mkdir /out/recordings
	cp /var/lib/private/perfstamp/* /out/recordings/
}

# unit NAME TYPE: a service of a program of its own.
unit() {
	cp /bin/sleep "/usr/local/bin/$1"
	printf '[Service]\nType=%s\nExecStart=/usr/local/bin/%s 100000\n' "$2" "$1" >"/etc/systemd/system/$1.service"
}

deploys() {
	local name

	unit deployed simple
	unit job oneshot
	unit steady simple
	systemctl daemon-reload
	systemctl start deployed steady
	systemctl start --no-block job
	await runs deployed /usr/local/bin/deployed
	await runs job /usr/local/bin/job
	for name in deployed job; do
		cp /bin/sleep /usr/local/bin/new
		# Other content.
		objcopy --remove-section .note.gnu.build-id --add-section .release=/proc/version /usr/local/bin/new
		mv /usr/local/bin/new "/usr/local/bin/$name"
	done
	main_pid steady >/out/steady
	main_pid deployed >/out/deployed
	perfstamp replaced --restart >/out/plan 2>/out/plan.err || echo "status $?" >>/out/plan
	main_pid deployed >>/out/deployed
	perfstamp replaced --restart --yes >/out/restarts 2>/out/restarts.err || echo "status $?" >>/out/restarts
	main_pid deployed >>/out/deployed
	main_pid steady >>/out/steady
	systemctl stop job deployed steady
	perfstamp replaced --restart >/out/after 2>&1 || echo "status $?" >>/out/after
}

purges() {
	kill "$worker"
	systemctl start perfstamp
	dpkg --purge --force-depends perfstamp >/out/purged 2>&1
	show perfstamp >>/out/purged
	find / -xdev \( -path /out -o -path "$PWD" -o -path /var/log -o -path /var/cache \) -prune -o \
		-name '*perfstamp*' -print >/out/left
	grep perfstamp /etc/passwd /etc/group /etc/shadow >>/out/left || true
}

trap 'journalctl --no-pager >/out/journal 2>&1' EXIT
for step in installs upgrades deploys purges; do
	at "$step"
	"$step"
done
at "end"
