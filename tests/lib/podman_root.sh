#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs a command in a container of podman that has this machine's root and the tree, privileged.
# podman's state is the container's own and ends with it, and its cgroups are v2 also where the
# host has controllers in v1.
# Usage: tests/lib/podman_root.sh [OPTION...] -- COMMAND [ARG...]
# OPTIONs are those of podman run; by default --pid=host, without which no BPF program is used.
set -euo pipefail

# In a mount and a cgroup namespace of its own.
inside() {
	local state

	[ ! -e /sys/fs/cgroup ] || umount --recursive /sys/fs/cgroup
	mount -t cgroup2 none /sys/fs/cgroup
	mkdir /sys/fs/cgroup/runner
	echo 0 >/sys/fs/cgroup/runner/cgroup.procs
	for state in /var/lib/containers /run/containers /run/libpod /run/crun; do
		mkdir -p $state
		mount -t tmpfs podman $state
	done
	mount --bind / "$root"
	exec podman --cgroup-manager cgroupfs --events-backend none run --rm --privileged --network host \
		--cgroups no-conmon --pids-limit 0 --ulimit nofile=20000:20000 --ulimit nproc=8192:8192 --workdir "$PWD" \
		"${options[@]}" --env OUTPUT --env PERFSTAMP_CACHE --env HOME --env PATH --rootfs "$root" "$@"
}

options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	options+=("$1")
	shift
done
[ $# -gt 1 ] || {
	echo "podman_root.sh: '--' must stand between podman's options and the command" >&2
	exit 2
}
shift
[ ${#options[@]} -gt 0 ] || options=(--pid=host)
hierarchy=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)
[ -n "$hierarchy" ] || {
	echo "podman_root.sh: cgroup2 is not mounted: mount -t cgroup2 none /sys/fs/cgroup" >&2
	exit 1
}
root=$(mktemp -d) cgroup=$hierarchy/perfstamp-root-$$
# What is still ending keeps a cgroup for some milliseconds.
end() {
	local i

	for ((i = 0; i < 100; i++)); do
		find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null || true
		[ -d "$cgroup" ] || break
		sleep 0.1
	done
	rmdir "$root"
}
trap end EXIT
mkdir "$cgroup"
# shellcheck disable=SC2016 # what the inner shell expands
bash -c 'echo 0 >"$0/cgroup.procs" && exec unshare --mount --propagation private --cgroup bash -c "$@"' "$cgroup" \
	"set -euo pipefail; $(declare -p root options); $(declare -f inside); inside \"\$@\"" podman "$@"
