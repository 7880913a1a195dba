#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The Debian package under systemd, in a guest: tests/packages/service_guest.sh. It takes the
# package that tests/packages/debian.bats, or make deb, has built for the release of this machine.

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	. /etc/os-release
	# In the tree, which the guest gets.
	dir=${OUTPUT:-.output}/deb/$VERSION_CODENAME
	rm -rf "$BATS_FILE_TMPDIR/next"
	dpkg-deb -R "$dir"/perfstamp_*.deb "$BATS_FILE_TMPDIR/next"
	sed -i 's/^Version: .*/&+next/' "$BATS_FILE_TMPDIR/next/DEBIAN/control"
	dpkg-deb --root-owner-group -b "$BATS_FILE_TMPDIR/next" "$dir/next.deb" >/dev/null
	scripts/guest --systemd --timeout 1800 --out "$BATS_FILE_TMPDIR" 6.12 -- \
		bash tests/packages/service_guest.sh "$dir"/perfstamp_*.deb "$dir/next.deb" \
		>"$BATS_FILE_TMPDIR/said" 2>&1 || echo "status $?" >>"$BATS_FILE_TMPDIR/said"
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	bats_require_minimum_version 1.5.0
	root=$PWD
	cd "$BATS_FILE_TMPDIR" || return
	perfstamp=$(realpath "$root/${OUTPUT:-.output}")/perfstamp
	cat said
	grep -v ' kernel: ' journal || true
}

has() {
	local line

	for line in "${@:2}"; do
		grep -qxF -- "$line" "$1" || { echo "$1 lacks: $line" && cat "$1" && return 1; }
	done
}

@test "an installed service is neither enabled nor started, and runs as its user" {
	has installed ActiveState=inactive UnitFileState=disabled
	has started ActiveState=active perfstamp
}

@test "an upgrade leaves the running recorder alone: nothing is lost" {
	local file

	has upgraded ActiveState=active NRestarts=0 "$(grep '^MainPID=' started)"
	grep -q "^perfstamp.service continues with version .*; 'systemctl restart perfstamp' starts the new version\.$" upgraded
	run ! grep -E '^perfstamp_lost_total.* [1-9]' metrics
	run ! grep -qxF "$(grep '^MainPID=' started)" restarted
	[ "$(find recordings -type f | wc -l)" -eq 2 ]
	for file in recordings/*; do
		"$perfstamp" check "$file"
	done
}

@test "--restart shows a unit, --yes restarts it, and what runs a job is left to people" {
	cat plan plan.err restarts restarts.err after
	grep -q '^    systemctl restart deployed.service  # [0-9]* deployed$' plan
	grep -q '^    job.service: [0-9]* job -> systemctl restart job.service (a restart does its job again)$' plan
	has plan "Units that run replaced builds:" "Left to you:" "status 1" \
		"Nothing was restarted; \`perfstamp replaced --restart --yes' restarts the units."
	run ! grep steady plan
	has restarts "systemctl restart deployed.service" "Left to you:" "status 1"
	run ! grep '^Units' restarts
	run ! grep deployed after
	# The one that was restarted, and only then; and one that had no reason to be.
	[ "$(sed -n 1p deployed)" = "$(sed -n 2p deployed)" ]
	[ "$(sed -n 2p deployed)" != "$(sed -n 3p deployed)" ]
	[ "$(sed -n 1p steady)" = "$(sed -n 2p steady)" ]
}

@test "a purge ends the service and leaves nothing" {
	run ! grep -x ActiveState=active purged
	cat left
	[ ! -s left ]
}
