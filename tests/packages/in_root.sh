#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a bare Debian root, in a clean clone: builds the packages twice, in different places and
# under different settings, checks them, and installs, uses, upgrades and purges them. Leaves the
# packages and what the tools said in /out; tests/packages/debian.bats judges.
# Usage: in_root.sh [build] [check] [use]; all of them by default.
set -eEuo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
export DEBIAN_FRONTEND=noninteractive

quietly() {
	"$@" >>/out/apt.log 2>&1 || { tail -n 20 /out/apt.log >&2 && return 1; }
}

# Everything in the root that a package may write, but for dpkg's and apt's own state and logs,
# and the caches that ldconfig, systemd and the like keep.
files() {
	find / -xdev \( -path /out -o -path /tmp -o -path /root -o -path /var/lib/dpkg -o -path /var/lib/apt \
		-o -path /var/cache -o -path /var/log -o -path /etc/ld.so.cache \) -prune -o -print | sort
	sort /etc/passwd /etc/group /etc/shadow /etc/gshadow
}

at() { echo "in_root: $*" >&2; }

build() {
	at "build"
	# The unit tests are make test's.
	DEB_BUILD_OPTIONS=nocheck scripts/deb /out >/out/first
	at "build again: another directory, time zone, language and mask, one job"
	mkdir -p /tmp/again/elsewhere
	(
		umask 0027
		export TZ=Pacific/Kiritimati LC_ALL=C LANG=C DEB_BUILD_OPTIONS='nocheck parallel=1' TMPDIR=/tmp/again/elsewhere
		scripts/deb /tmp/second >/out/second
	)
}

check() {
	at "lintian"
	quietly apt-get -y --no-install-recommends install lintian autopkgtest linux-perf gcc libc6-dev
	tests/lib/lintian.sh /out/*.changes >/out/lintian 2>&1 || echo "status $?" >>/out/lintian

	at "autopkgtest"
	autopkgtest /out/*.deb /out/*.dsc -- null >/out/autopkgtest 2>&1 || echo "status $?" >>/out/autopkgtest
}

use() {
	at "install, use, upgrade, purge"
	quietly dpkg --purge perfstamp-dbgsym perfstamp perfstamp-dev
	# All but the packages themselves is there from now on.
	quietly apt-get -y --no-install-recommends install zsh procps
	quietly apt-get -y --no-install-recommends satisfy "$(dpkg-deb -f /out/perfstamp_*.deb Depends)"
	files >/tmp/before
	quietly apt-get -y --no-install-recommends install /out/perfstamp_*.deb /out/perfstamp-dev_*.deb
	perfstamp --version >/out/version
	# shellcheck disable=SC2016 # for the shell that is recorded
	perfstamp record -e cpu-clock -o /tmp/perf.data -- sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done' >/out/recorded 2>&1
	perfstamp report -i /tmp/perf.data >/out/report 2>&1
	getent passwd perfstamp >/out/user
	# shellcheck disable=SC2016 # for zsh
	zsh -c 'autoload -U compinit && compinit -u && print $_comps[perfstamp]' >/out/zsh
	bash -c '. /usr/share/bash-completion/completions/perfstamp && complete -p perfstamp' >/out/bash
	echo '# edited' >>/etc/perfstamp.conf
	mkdir -p /var/lib/private/perfstamp
	touch /var/lib/private/perfstamp/perf.data
	ln -s private/perfstamp /var/lib/perfstamp

	# A process whose file is replaced before dpkg runs: the hook of apt lists it.
	cp /bin/sleep /usr/local/bin/outdated
	/usr/local/bin/outdated 1000 &
	outdated=$!
	until [ "$(readlink "/proc/$outdated/exe")" = /usr/local/bin/outdated ]; do sleep 0.1; done
	cp /bin/true /usr/local/bin/new
	mv /usr/local/bin/new /usr/local/bin/outdated

	# A recorder that goes on, of a process that does.
	sh -c 'while :; do :; done' &
	busy=$!
	perfstamp record -e cpu-clock -o /tmp/running.data -p "$busy" >/out/running 2>&1 &
	recorder=$!
	until [ -s /tmp/running.data ]; do sleep 0.1; done

	# The same content as a later version.
	dpkg-deb -R /out/perfstamp_*.deb /tmp/next
	sed -i 's/^Version: .*/&+next/' /tmp/next/DEBIAN/control
	dpkg-deb --root-owner-group -b /tmp/next /out/next.deb >/dev/null
	apt-get -y --no-install-recommends install /out/next.deb >/out/upgrade 2>&1
	kill -INT "$recorder"
	wait "$recorder" || echo "status $?" >>/out/running
	kill "$busy"
	perfstamp check /tmp/running.data >/out/checked || echo "status $?" >>/out/checked
	kill "$outdated"
	rm /usr/local/bin/outdated
	dpkg-query -W perfstamp >/out/upgraded
	tail -n 1 /etc/perfstamp.conf >>/out/upgraded
	quietly apt-get -y remove perfstamp perfstamp-dev
	ls /var/lib/private/perfstamp >/out/removed
	quietly apt-get -y purge perfstamp
	rm -rf /root/.zcompdump*
	files >/tmp/after
	diff /tmp/before /tmp/after >/out/left || true
}

[ $# -gt 0 ] || set -- build check use
for step in "$@"; do "$step"; done
