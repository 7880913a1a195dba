# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# A scene of `make demo'; sourced by scripts/demo, which has what is not defined here. Two
# containers have a server of their own at one path, which the host does not have at all. A
# container is here what it is to the kernel: a mount namespace with another root.
# shellcheck disable=SC2154 # of scripts/demo

# Root needs no user namespace, and gets none in a chroot. Nothing is mounted, so that the
# propagation of the root does not matter, which is not to be changed in a plain chroot.
with_mounts() {
	local -a user=()

	[ "$(id -u)" -eq 0 ] || user=(--user --map-root-user)
	exec unshare "${user[@]}" --mount --propagation unchanged "$@"
}

# Runs under the recorder.
serve() {
	local release

	for release in 1 2; do
		with_mounts chroot "$dir/image-$release" /usr/bin/server &
	done
	sleep 3
	kill %1 %2
}

scene() {
	local release

	(with_mounts true) 2>unshare.log ||
		fail "this scene needs root, or user namespaces: $(cat unshare.log)"
	for release in 1 2; do
		mkdir -p "image-$release/usr/bin"
		"${CC:-cc}" -O1 -g -static -Wl,--build-id -DRELEASE="$release" \
			-o "image-$release/usr/bin/server" "$here/demo.d/server.c"
	done
	say "Two containers run /usr/bin/server, each a build of its own. On the host there is none."
	show "perfstamp record -e cpu-clock --capture -- serve"
	export dir
	"$perfstamp" record -o perf.data -e cpu-clock --capture --buildid-dir "$dir/cache" "$@" -- \
		bash -c "$(declare -f with_mounts serve); serve" 2>&1
	# From here on nothing of the containers is left.
	cp image-1/usr/bin/server release-1
	cp image-2/usr/bin/server release-2
	rm -rf image-1 image-2
	show "perfstamp list --path '*/server'"
	"$perfstamp" list --path /usr/bin/server perf.data | tee list
	[ "$(cut -d' ' -f1 list | sort)" = "$(printf '%s\n' "$(build_id release-1)" "$(build_id release-2)" | sort)" ] ||
		fail "the two identities should be $(build_id release-1) and $(build_id release-2)"
	show "perfstamp report --stdio --sort dso,sym"
	"$perfstamp" report -i perf.data --stdio --no-debuginfod --buildid-dir "$dir/cache" --sort dso,sym \
		--percent-limit 5 | rows | tee report
	grep -q "server ($(build_id release-1 | cut -c1-12)) .*bubble_sort" report ||
		fail "the first container sorts by bubble_sort, and the report does not show it"
	grep -q "server ($(build_id release-2 | cut -c1-12)) .*shell_sort" report ||
		fail "the second container sorts by shell_sort, and the report does not show it"
	say
	say "The images are gone; --capture kept the symbols of what ran in them. Each build has its" \
		"own row; $(took)."
}
