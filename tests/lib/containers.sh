#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# A hundred containers of ten images, each with a build of its own at a path that the host
# has, too; a process of each lives for some milliseconds. At the tree's root, as root:
#   containers.sh images DIR       builds the images and the host's program (here: gcc, or
#                                  clang with GUEST_ARCH=arm64)
#   containers.sh named            processes in containers that live on, of which the
#                                  runtimes' state files tell a name (in a guest: these
#                                  are files of the system)
#   containers.sh run DIR WORK     runs them, the host's first, and prints what
#                                  tests/tools/container.c does; WORK is on a file system
#                                  that an overlay can be made of
#   containers.sh judge DIR WORK [NAMES]...
#                                  reads `list --json` from the standard input and prints
#                                  what is wrong; status 1 where anything is; WORK is a file
set -euo pipefail

program=/usr/bin/stamped
n_images=10
n=100

# Where cgroup2 is.
hierarchy() {
	findmnt -n -t cgroup2 -o TARGET | head -n 1
}

build_id() {
	printf '%02x' "$1"
	printf 'c0%.0s' {1..19}
}

id_of() {
	printf '%s' "perfstamp $1" | sha256sum | cut -d ' ' -f 1
}

uid_of() {
	printf '%s' "pod $1" | sha256sum | sed 's/\(.\{8\}\)\(.\{4\}\)\(.\{4\}\)\(.\{4\}\)\(.\{12\}\).*/\1-\2-\3-\4-\5/'
}

images() {
	local i root
	local -a cc=(gcc)

	[ "${GUEST_ARCH-}" != arm64 ] ||
		cc=(clang --target=aarch64-linux-gnu "--sysroot=$(scripts/sysroot arm64)")
	mkdir -p "$dir"
	for i in $(seq 0 $n_images); do
		root=$dir/image-$i
		mkdir -p "$root${program%/*}"
		"${cc[@]}" -static -O1 -x c -o "$root$program" -Wl,--build-id="0x$(build_id "$i")" - \
			<<<'int main(void) { return 0; }'
	done
	lines
}

# The cgroup of container I, as its runtime would name it, below the hierarchy.
cgroup_of() {
	local id uid

	id=$(id_of "$1") uid=$(uid_of "$1")
	case $(($1 % 8)) in
	0) echo "docker/$id" ;;
	1) echo "system.slice/docker-$id.scope" ;;
	2) echo "machine.slice/libpod-$id.scope" ;;
	3) echo "kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod${uid//-/_}.slice/cri-containerd-$id.scope" ;;
	4) echo "kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod${uid//-/_}.slice/crio-$id.scope" ;;
	5) echo "kubepods/burstable/pod$uid/$id" ;;
	6) echo "machine.slice/machine-node$1.scope" ;;
	7) echo "lxc.payload.guest$1" ;;
	esac
}

# "RUNTIME ID" of container I, as list must tell it.
told_of() {
	case $(($1 % 8)) in
	0 | 1) echo "docker $(id_of "$1")" ;;
	2) echo "podman $(id_of "$1")" ;;
	3) echo "containerd $(id_of "$1")" ;;
	4) echo "cri-o $(id_of "$1")" ;;
	5) echo "kubernetes $(id_of "$1")" ;;
	6) echo "nspawn node$1" ;;
	7) echo "lxc guest$1" ;;
	esac
}

# A shell would take longer in a guest than all else does.
lines() {
	local i

	for i in $(seq $n); do echo "$(cgroup_of "$i") image-$((i % n_images + 1))"; done >"$dir/lines"
}

run() {
	local tools

	tools=$(realpath "${OUTPUT:-.output}")/tools
	cp "$dir/image-0$program" "$program"
	"$program"
	"$tools/container" "$program" "$(hierarchy)" "$dir" "$work" <"$dir/lines"
	rm "$program"
}

judge() {
	local i wrong=0 one

	tee "$work.all" | jq -c "select(.path == \"$program\") | {build_id, path, containers, mount_namespaces}" >"$work"
	# One content is one DSO: the host's, and that of each image.
	[ "$(wc -l <"$work")" -eq $((n_images + 1)) ] || {
		echo "$(wc -l <"$work") lines of $program" && wrong=1
	}
	for i in $(seq $n); do
		echo "$(told_of "$i") $(build_id $((i % n_images + 1)))"
	done | sort >"$work.right"
	jq -r '.build_id as $id | .containers[] | [.runtime, .id, $id] | join(" ")' "$work" |
		sort >"$work.told"
	diff "$work.right" "$work.told" || wrong=1
	# The number of a namespace that is gone is given to the next one.
	[ "$(jq -s 'map(select(.mount_namespaces | length < 1)) | length' "$work")" -eq 0 ] || {
		echo "a line without a mount namespace" && wrong=1
	}
	[ "$(jq -r --arg id "$(build_id 0)" 'select(.build_id == $id) | .containers | length' "$work")" = 0 ] ||
		{ echo "the host's own is in a container" && wrong=1; }
	for one in "${names[@]}"; do
		jq -e --arg one "$one" 'select(any(.containers[]; [.runtime, .name,
			(if .pod then .namespace + "/" + .pod else empty end), .image] |
			join(":") == $one))' "$work.all" >/dev/null || {
			echo "no container $one" && wrong=1
		}
	done
	[ $wrong = 0 ]
}

# in_cgroup CGROUP: a process in it.
in_cgroup() {
	local top

	top=$(hierarchy)
	mkdir -p "$top/$1"
	sleep 1000 >/dev/null 2>&1 &
	echo $! >"$top/$1/cgroup.procs"
}

# state FILE: from the standard input.
state() {
	mkdir -p "${1%/*}"
	cat >"$1"
}

named() {
	local storage=/var/lib/containers/storage/overlay-containers

	# As systemd does. The kernel tells of new cgroups only where it has perf's controller,
	# and that is turned on with the first other one.
	echo +pids >"$(hierarchy)/cgroup.subtree_control"
	state "/var/lib/docker/containers/$(id_of docker)/config.v2.json" <<-END
		{"ID": "$(id_of docker)", "Name": "/web", "Config": {"Image": "nginx:1.27"}}
	END
	in_cgroup "docker/$(id_of docker)"
	state $storage/containers.json <<-END
		[{"id": "$(id_of other)", "names": ["other"]}, {"id": "$(id_of podman)",
		"names": ["db", "database"], "metadata": "{\"image-name\": \"postgres:16\"}"}]
	END
	in_cgroup "machine.slice/libpod-$(id_of podman).scope/container"
	state "/run/containerd/io.containerd.runtime.v2.task/k8s.io/$(id_of containerd)/config.json" <<-END
		{"annotations": {"io.kubernetes.cri.container-name": "cart",
		"io.kubernetes.cri.sandbox-name": "cart-0", "io.kubernetes.cri.sandbox-namespace": "shop",
		"io.kubernetes.cri.image-name": "registry/cart:3"}}
	END
	in_cgroup "kubepods/pod$(uid_of named)/cri-containerd-$(id_of containerd).scope"
	state "$storage/$(id_of crio)/userdata/config.json" <<-END
		{"annotations": {"io.kubernetes.container.name": "pay",
		"io.kubernetes.pod.name": "pay-0", "io.kubernetes.pod.namespace": "shop",
		"io.kubernetes.cri-o.ImageName": "registry/pay:4"}}
	END
	in_cgroup "kubepods/pod$(uid_of named)/crio-$(id_of crio)"
}

dir=${2-} work=${3-} names=("${@:4}")
"$1"
