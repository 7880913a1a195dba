# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# A scene of `make demo'; sourced by scripts/demo, which has what is not defined here. A kernel
# module is unloaded, and another build of it is loaded at the same address. Kernels that cannot
# load it run the scene in a guest.
# shellcheck disable=SC2154 # of scripts/demo

# Runs under the recorder.
reload() {
	local build

	for build in 1 2; do
		insmod "$dir/$build/burn.ko"
		echo 300 >/sys/module/burn/parameters/red
		rmmod burn
	done
}

can_load() {
	[ "$(id -u)" -eq 0 ] && [ -e /proc/modules ] && modinfo -n dummy >/dev/null 2>&1 &&
		[ -e /sys/kernel/btf/vmlinux ]
}

in_guest() {
	[ -z "${PERFSTAMP_DEMO_GUEST-}" ] || fail "this guest cannot load modules"
	say "This kernel cannot load the module: Linux 6.12 runs the scene in a guest, which takes a minute."
	cd "$here/.." || return
	scripts/guest 6.12 -- env PERFSTAMP_DEMO_GUEST=1 PERF="scripts/perf 6.12" scripts/demo module "$@" ||
		fail "the scene failed in the guest"
}

scene() {
	local build

	if ! can_load; then
		in_guest "$@"
		return
	fi
	# Relative names are those of the tree.
	case ${perf[0]} in scripts/*) perf[0]=$here/../${perf[0]} ;; esac
	for build in 1 2; do
		mkdir "$build"
		"$here/../tests/modules/build" "$dir/$build/burn.ko" "$build"
	done
	say "A module is loaded, burns time in its function burn_red, and is unloaded. Another build of it"
	say "is loaded, in which burn_red and burn_blue have changed places, and does the same."
	export dir
	show "perfstamp record -a -e cpu-clock -- reload"
	"$perfstamp" record -a -o perf.data -e cpu-clock "$@" -- bash -c "$(declare -f reload); reload" 2>&1
	show "perfstamp list --modules"
	"$perfstamp" list --modules perf.data | grep -E '^BUILD|^ID|^build|burn' | tee list
	for build in 1 2; do
		grep -q "^$(build_id "$build/burn.ko") " list || fail "build $build of the module is not listed"
		"$perfstamp" cache add --buildid-dir "$dir/cache" "$build/burn.ko" >/dev/null
	done
	show "perfstamp report --stdio --sort dso,build_id,sym"
	"$perfstamp" report -i perf.data --stdio --no-debuginfod --buildid-dir "$dir/cache" --sort dso,build_id,sym |
		rows | grep -F '[burn]' | tee report
	for build in 1 2; do
		grep -q "$(build_id "$build/burn.ko" | cut -c1-12).*burn_red" report ||
			fail "build $build has no samples in burn_red"
	done
	! grep burn_blue report >/dev/null || fail "burn_blue never ran, and has samples"
	say
	say "burn_blue never ran. By the address alone, the samples of one build would have its name; $(took)."
}
