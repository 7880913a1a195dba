#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Real containers: podman runs programs of images that have builds of their own at the
# paths of the host's program, C library and loader. podman's state, images and cgroups
# are the caller's own, and its cgroups are v2 also where the host has controllers in v1.
# At the tree's root, as root:
#   podman.sh images DIR        makes the images' roots
#   podman.sh record DIR CGROUP records in CGROUP, which is made, a run of the host's
#                               program and of all containers; DIR/data, DIR/containers
#   podman.sh judge DIR         says what is wrong with the recording; status 1 where
#                               anything is
#   podman.sh lives DIR         how long the brief programs lived, by the recording
#   podman.sh end CGROUP        ends what is left in it, and removes it
# (podman.sh inside and run are for record.)
set -euo pipefail

n_images=3
n=24
program=/usr/bin/true

say() { echo "podman.sh: $*" >&2; }

# What is mapped when the programs run, as the host has it.
files() {
	realpath $program /usr/bin/sleep
	ldd $program | grep -o '/[^ ]*' | xargs realpath
}

build_id() {
	printf '%02x' "$1"
	printf 'd0%.0s' {1..19}
}

# set_build_id FILE HEX: in place of the 20 bytes that it has.
set_build_id() {
	local offset

	offset=$(readelf -SW "$1" | sed -n 's/.*\.note\.gnu\.build-id *NOTE *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')
	printf '%s' "${2^^}" | basenc --base16 -d |
		dd of="$1" bs=1 seek=$((0x$offset + 16)) conv=notrunc status=none
	readelf -n "$1" | grep -q "Build ID: $2"
}

# The files have numbers: image I's file F has the build-id 16 I + F.
images() {
	local i f file name root
	local -a all

	mapfile -t all < <(files)
	for i in $(seq $n_images); do
		root=$dir/image-$i
		mkdir -p "$root"/usr/{bin,lib,lib64}
		ln -s usr/bin usr/lib usr/lib64 "$root"
		for f in "${!all[@]}"; do
			file=${all[f]}
			mkdir -p "$root${file%/*}"
			cp "$file" "$root$file"
			set_build_id "$root$file" "$(build_id $((16 * i + f)))"
			echo "$i $(build_id $((16 * i + f))) $file"
		done
		# As they are asked for.
		ldd $program | grep -o '/[^ ]*' | while read -r name; do
			[ -e "$root$name" ] || ln -s "$(realpath "$name")" "$root$name"
		done
	done >"$dir/files"
}

# In the last cgroup namespace: with a cgroup2 whose root is the caller's cgroup.
run() {
	local i

	mount -t cgroup2 none /sys/fs/cgroup
	mkdir /sys/fs/cgroup/runner
	echo 0 >/sys/fs/cgroup/runner/cgroup.procs
	for i in $(seq $n_images); do tar -C "$dir/image-$i" -c . | podman import -q - "stamped:$i" >&2; done
	$program
	container "stays" 1 -d /usr/bin/sleep 1000
	for i in $(seq $n); do container "brief$i" $((i % n_images + 1)) "" $program; done
}

# container NAME IMAGE OPTION COMMAND...: the limits are such as any host allows, and no
# device is kept from it, for which its runtime would have to be allowed more memory.
container() {
	local name=$1 image=$2 option=$3
	shift 3

	podman run ${option:+"$option"} --name "$name" --network none --privileged --pids-limit 0 \
		--ulimit nofile=1024:1024 --ulimit nproc=1024:1024 "stamped:$image" "$@" >&2
	echo "$(podman inspect --format '{{.Id}}' "$name") $name $image"
}

# In a mount namespace of its own: podman's state goes with it.
inside() {
	local state

	for state in /var/lib/containers /run/containers /run/libpod /run/crun; do
		mkdir -p $state
		mount -t tmpfs podman $state
	done
	# shellcheck disable=SC2016 # for the other shell
	"${OUTPUT:-.output}/perfstamp" record -e cpu-clock -F 49 -m 4M --map-ring-size 16M -o "$dir/data" -- \
		bash -c 'echo 0 >"$2/cgroup.procs" && exec unshare --mount --cgroup bash "$0" run "$1"' \
		"$0" "$dir" "$cgroup" >"$dir/containers"
}

record() {
	mkdir "$cgroup"
	unshare --mount --propagation private bash "$0" inside "$dir" "$cgroup"
}

end() {
	local i

	[ -d "$cgroup" ] || return 0
	for ((i = 0; i < 600; i++)); do
		# shellcheck disable=SC2046 # numbers
		kill -KILL $(find "$cgroup" -name cgroup.procs -exec cat {} +) 2>/dev/null || true
		find "$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null || true
		[ -d "$cgroup" ] || return 0
		sleep 0.1
	done
	say "$cgroup: cannot be removed"
	return 1
}

lives() {
	"${OUTPUT:-.output}/perfstamp" dump --json "$dir/data" |
		jq -r --arg path $program 'select((.type == "MMAP2" and .path == $path) or .type == "EXIT") |
			[.pid, .time_ns, .tid == .pid, .type] | @tsv' |
		awk '$4 == "MMAP2" { begin[$1] = $2 }
			$4 == "EXIT" && $3 == "true" && $1 in begin { print ($2 - begin[$1]) / 1000; delete begin[$1] }' |
		sort -n | awk '{ us[NR] = $1; brief += $1 < 10000 }
			END { print NR " programs: " us[1] " to " us[NR] " us; " brief " below 10 ms" }'
}

# holds CONDITION: of the array of all lines; $id is the host's own program's.
holds() {
	jq -se --arg path $program --arg id "$(readelf -n $program | sed -n 's/.*Build ID: //p')" \
		"$1" "$dir/list" >/dev/null
}

# By "CONTAINER NAME IMAGE BUILD-ID PATH"; name and image are from podman's own files.
judge() {
	local wrong=0 id name image own

	"${OUTPUT:-.output}/perfstamp" list --json "$dir/data" >"$dir/list"
	while read -r id name image; do
		own=$program
		[ "$name" != stays ] || own=/usr/bin/sleep
		awk -v id="$id" -v image="$image" -v own="$own" \
			-v name="$name localhost/stamped:$image" \
			'$1 == image && ($3 == own || $3 !~ /^\/usr\/bin\//) { print id, name, $2, $3 }' \
			"$dir/files"
	done <"$dir/containers" | sort >"$dir/right"
	jq -r '. as $dso | .containers[] | [.id, .name, .image, $dso.build_id, $dso.path] | join(" ")' "$dir/list" |
		grep -F -f <(cut -d ' ' -f 3 "$dir/files" | sort -u) | sort >"$dir/told"
	[ "$(wc -l <"$dir/containers")" -eq $((n + 1)) ] || { echo "not all containers ran" && wrong=1; }
	diff "$dir/right" "$dir/told" || wrong=1
	# Whatever else is mapped in a container has an identity, too.
	holds 'all(.containers == [] or .build_id or .cookie)' || { echo "no identity" && wrong=1; }
	holds 'all(.[].containers[]; .runtime == "podman")' || { echo "another runtime" && wrong=1; }
	# shellcheck disable=SC2016 # jq's
	holds 'any(.path == $path and .build_id == $id and .containers == [])' ||
		{ echo "not the host's program" && wrong=1; }
	[ $wrong = 0 ]
}

dir=${2-} cgroup=${3-}
if [ "$1" = end ]; then cgroup=${2-}; fi
"$1"
