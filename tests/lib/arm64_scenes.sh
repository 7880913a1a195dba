#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest of arm64, as root, at the tree's root: arm64_scenes.sh SCENE... plays what the
# guests of x86-64 have a boot each for: containers, of which containers.sh has made the images,
# replaced, modules. It leaves the recording of each in /out/SCENE, with what arm64's stock perfs
# print of it; and of the scene "callers" those in a recording of stacks, by perfstamp and by perf.
set -euo pipefail
output=${OUTPUT:-.output}
perfstamp=$output/perfstamp

say() {
	printf '%s %s\n' "$(cut -d ' ' -f 1 /proc/uptime)" "$*"
}

containers() {
	modprobe overlay
	mkdir -p /var/tmp/containers
	bash tests/lib/containers.sh named
	"$perfstamp" record -a -e cpu-clock -F 49 -m 4M --map-ring-size 16M -o /out/containers/data -- \
		bash tests/lib/containers.sh run "$(realpath "$output/containers")" /var/tmp/containers >/out/containers/lives
}

replaced() {
	local at=/var/tmp/replaced

	mkdir -p /out/replaced
	"$perfstamp" record -a -e cpu-clock -F 999 -m 4M --map-ring-size 8M -o /out/replaced/data -- \
		unshare -m bash tests/lib/replaced.sh run $at
	cp $at/runs /out/replaced
	# Among them, the programs for the other machine's judges.
	cp "$output"/tools/{swapped-1,swapped-2,libswapped-1.so,libswapped-2.so} /out/replaced
	bash tests/lib/replaced.sh judge $at /out/replaced/data >/out/replaced/judged
}

modules() {
	bash tests/lib/modules.sh run /out/modules 20
}

# perf's lines of a sample, the innermost first, as one, and so ours; and how often each is.
callers() {
	local chain='^(main|chain_[abc])$'

	gcc -O1 -fomit-frame-pointer "$@" -Wl,--build-id -o /var/tmp/chain tests/lib/chain.c
	"$perfstamp" record -q -e cpu-clock:u -F 499 -m 4M --call-graph dwarf -o /tmp/stacks -- /var/tmp/chain
	"$perfstamp" report --no-pager --no-inline --folded /tmp/stacks 2>/tmp/said |
		awk -v chain="$chain" '{
			n = split($1, name, ";"); all = ""
			for (i = 1; i <= n; i++) if (name[i] ~ chain) all = all " " name[i]
			if (name[n] == "chain_c") sum[all] += $2
		} END { for (all in sum) print sum[all] all }' | sort >/tmp/ours
	scripts/perf newest script --no-inline -F ip,sym -i /tmp/stacks 2>/tmp/said |
		awk -v chain="$chain" 'function end() { if (leaf == "chain_c") sum[all]++; leaf = all = "" }
		NF == 0 { end(); next }
		{ if (leaf == "") leaf = $2; if ($2 ~ chain) all = " " $2 all }
		END { end(); for (all in sum) print sum[all] all }' | sort >/tmp/perfs
	sed 's/^/ours: /' /tmp/ours
	sed 's/^/perf: /' /tmp/perfs
}

# What stock perfs of this machine complain of.
complaints() {
	local version

	for version in 6.1 6.12 newest; do
		scripts/perf "$version" report --stdio -i "/out/$1/data" --sort comm,dso 2>"/out/$1/perf-$version.err" |
			sed -n '1,40p' >"/out/$1/perf-$version"
	done
}

uname -m
getconf PAGESIZE
for scene; do
	say "$scene"
	mkdir -p "/out/$scene"
	case $scene in
	callers)
		callers -mbranch-protection=none >/out/callers/plain
		callers -mbranch-protection=standard >/out/callers/signed
		;;
	*)
		"$scene"
		complaints "$scene"
		;;
	esac
done
say end
