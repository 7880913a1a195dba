#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# Containers of a real runtime: podman's, with builds of their own at the paths of the
# host's program, C library and loader, each over within some milliseconds.

# The kernel tells of a new cgroup where that has perf's controller, which it has
# as soon as another one was turned on above it.
turn_on() {
	local controllers

	read -r controllers <"$hierarchy/cgroup.controllers" || true
	if [ -z "$controllers" ] || grep -q '^[1-9][0-9]*:[^:]*perf_event' /proc/self/cgroup; then
		return 1
	fi
	if ! grep -q . "$hierarchy/cgroup.subtree_control"; then
		echo "${controllers%% *}" >"$BATS_FILE_TMPDIR/turned-on"
		echo "+${controllers%% *}" >"$hierarchy/cgroup.subtree_control"
	fi
}

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	hierarchy=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)
	export hierarchy cgroup=$hierarchy/perfstamp-podman-$$

	[ -n "$hierarchy" ] || return 0
	turn_on || return 0
	bash tests/lib/podman.sh images "$BATS_FILE_TMPDIR"
	timeout 1200 bash tests/lib/podman.sh record "$BATS_FILE_TMPDIR" "$cgroup" \
		>"$BATS_FILE_TMPDIR/said" 2>&1 3>&- ||
		echo "status $?" >>"$BATS_FILE_TMPDIR/said"
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	[ -n "$hierarchy" ] || skip "cgroup2 is not mounted"
	[ -e "$BATS_FILE_TMPDIR/said" ] || skip "cgroup2 has no controllers"
	if [ ! -s "$BATS_FILE_TMPDIR/containers" ]; then
		sed 's/^/# /' "$BATS_FILE_TMPDIR/said" >&3
		skip "podman runs no container on this machine"
	fi
}

teardown_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	[ -z "$hierarchy" ] || bash tests/lib/podman.sh end "$cgroup"
	[ ! -e "$BATS_FILE_TMPDIR/turned-on" ] ||
		echo "-$(<"$BATS_FILE_TMPDIR/turned-on")" >"$hierarchy/cgroup.subtree_control"
}

@test "podman's brief containers: each mapping has its identity, container, name and path" {
	cat "$BATS_FILE_TMPDIR/said"
	bash tests/lib/podman.sh lives "$BATS_FILE_TMPDIR"
	bash tests/lib/podman.sh judge "$BATS_FILE_TMPDIR"
}
