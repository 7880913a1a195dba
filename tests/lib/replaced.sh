#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Two builds at one path, one after the other or at once, in one recording. Here and in
# guests, as root, at the tree's root:
#   replaced.sh run DIR           the workload: replaces files below DIR and runs both builds
#   replaced.sh judge DIR DATA [PROGRAMS]   prints "list SCENARIO: COUNTS" by perfstamp list, and
#                                 "perf VERSION SCENARIO: COUNTS" by each stock perf; the
#                                 run's own DIR/runs is beside DATA, and DIR need not exist;
#                                 PROGRAMS has the builds where they are not this machine's
# The builds have two functions in exchanged places (tests/tools/swapped.c), and each
# spends its time in the one that has its name.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=identity.sh
. tests/lib/identity.sh

ms=400 # that each build runs, on a CPU

# run_build SCENARIO BUILD COMMAND...: runs it and keeps which build its process was.
run_build() {
	"${@:3}" &
	echo "$1 $2 $!" >>"$dir/runs"
	wait $!
}

with_library() {
	SWAPPED_MS=$ms exec "$tools/mapper" "dlopen:$1" </dev/null >/dev/null
}

rename_over() {
	cp "$tools/swapped-1" "$dir/rename/app"
	run_build rename 1 "$dir/rename/app" $ms
	cp "$tools/swapped-2" "$dir/rename/new"
	mv "$dir/rename/new" "$dir/rename/app"
	run_build rename 2 "$dir/rename/app" $ms
}

unlink_and_rewrite() {
	cp "$tools/swapped-1" "$dir/rewrite/app"
	run_build rewrite 1 "$dir/rewrite/app" $ms
	rm "$dir/rewrite/app"
	cp "$tools/swapped-2" "$dir/rewrite/app"
	run_build rewrite 2 "$dir/rewrite/app" $ms
}

# The inode stays; only the content is another.
write_in_place() {
	cp "$tools/libswapped-1.so" "$dir/place/app"
	run_build place 1 with_library "$dir/place/app"
	cat "$tools/libswapped-2.so" >"$dir/place/app"
	run_build place 2 with_library "$dir/place/app"
}

# The old build still runs when the new one begins.
overlap() {
	local old

	cp "$tools/swapped-1" "$dir/overlap/app"
	"$dir/overlap/app" 1000000 &
	old=$!
	echo "overlap 1 $old" >>"$dir/runs"
	await has_worked "$old" $ms
	cp "$tools/swapped-2" "$dir/overlap/new"
	mv "$dir/overlap/new" "$dir/overlap/app"
	run_build overlap 2 "$dir/overlap/app" $ms
	kill "$old"
	wait "$old" || true
}

# Whether process PID was on CPUs for so long.
has_worked() {
	[ "$(sed 's/.*) //' "/proc/$1/stat" |
		awk -v hz="$(getconf CLK_TCK)" '{ print int(($12 + $13) * 1000 / hz) }')" -ge "$2" ]
}

# An image's file, and what is written over it in a container. The caller is in a mount
# namespace of its own.
overlay_upper() {
	mkdir "$dir"/overlay/{lower,upper,work,merged}
	cp "$tools/swapped-1" "$dir/overlay/lower/app"
	mount -t overlay overlay -o \
		"lowerdir=$dir/overlay/lower,upperdir=$dir/overlay/upper,workdir=$dir/overlay/work" \
		"$dir/overlay/merged"
	run_build overlay 1 "$dir/overlay/merged/app" $ms
	cp "$tools/swapped-2" "$dir/overlay/merged/app"
	run_build overlay 2 "$dir/overlay/merged/app" $ms
	umount "$dir/overlay/merged"
}

# Neither has a build-id: told apart by their cookies.
without_ids() {
	"$tools/elf_gen" none - "$dir/cookie/app"
	run_build cookie 1 with_library "$dir/cookie/app"
	"$tools/elf_gen" phdrs-cross - "$dir/cookie/app"
	run_build cookie 2 with_library "$dir/cookie/app"
}

path_of() {
	case $1 in
	overlay) echo "$dir/overlay/merged/app" ;;
	*) echo "$dir/$1/app" ;;
	esac
}

id_of() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

# What list says of the scenario's path: how many entries, whether they are the two
# builds in the order of time, whether the first ends before the second begins.
judge_list() {
	local scenario=$1 first second

	first=$(id_of "$tools/swapped-1")
	second=$(id_of "$tools/swapped-2")
	if [ "$scenario" = place ]; then
		first=$(id_of "$tools/libswapped-1.so")
		second=$(id_of "$tools/libswapped-2.so")
	fi
	"$perfstamp" list --json --path "$(path_of "$scenario")" "$data" |
		jq -rs --arg first "$first" --arg second "$second" \
			'"entries=\(length) first=\(.[0].build_id == $first)" +
			" second=\(.[1].build_id == $second)" +
			" cookies=\(map(.cookie) | unique | map(select(.)) | length)" +
			" same_inode=\(.[0].ino == .[1].ino)" +
			" ordered=\(.[0].first_ns <= .[0].last_ns and .[0].first_ns < .[1].first_ns and
				.[1].first_ns <= .[1].last_ns)" +
			" apart=\(.[0].last_ns <= .[1].first_ns)" +
			" processes=\(map(.processes) | join(","))"'
}

# Counts, of each build's samples in the file of its scenario, those with the symbol of
# that build, with the other's, and with none.
judge_perf() {
	local version=$1 cache=$2

	scripts/perf "$version" --buildid-dir "$cache" script -i "$data" -F pid,ip,sym,dso \
		2>"$beside/complaint" |
		awk -v version="$version" -v runs="$beside/runs" '
			BEGIN { while ((getline line < runs) > 0) { split(line, f, " "); scenario[f[3]] = f[1]; build[f[3]] = f[2] } }
			!($1 in build) || $NF !~ /\/app\)$/ || scenario[$1] == "cookie" { next }
			{ sub(/@plt$/, "", $3) } # the library calls its own function by its PLT
			{ what = $3 == "in_build_" build[$1] ? "right" : $3 ~ /^in_build_/ ? "wrong" : "unknown" }
			what != "unknown" || $3 == "[unknown]" { n[scenario[$1] " " what build[$1]]++ }
			END {
				split("rename rewrite place overlap overlay", names, " ")
				for (i = 1; i in names; i++) {
					printf "perf %s %s:", version, names[i]
					for (b = 1; b <= 2; b++)
						printf " right%d=%d wrong%d=%d unknown%d=%d", b, n[names[i] " right" b],
							b, n[names[i] " wrong" b], b, n[names[i] " unknown" b]
					print ""
				}
			}'
	sed "s/^/# perf $version: /" "$beside/complaint"
}

dir=$2
case $1 in
run)
	rm -rf "$dir"
	mkdir -p "$dir"/{rename,rewrite,place,overlap,overlay,cookie}
	rename_over
	unlink_and_rewrite
	write_in_place
	overlap
	overlay_upper
	without_ids
	;;
judge)
	data=$3 beside=$(dirname "$3") tools=${4:-$tools}
	for scenario in rename rewrite place overlap overlay cookie; do
		echo "list $scenario: $(judge_list "$scenario")"
	done
	for version in 6.1 6.12 newest; do
		for file in swapped-1 swapped-2 libswapped-1.so libswapped-2.so; do
			scripts/perf "$version" --buildid-dir "$beside/cache-$version" buildid-cache \
				--add "$tools/$file"
		done
		judge_perf "$version" "$beside/cache-$version"
	done
	;;
esac
