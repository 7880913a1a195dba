#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What perfstamp diff says of programs of which it is known what changed (tests/tools/release.c).
# At the tree's root, after `make all tools':
#   diff.sh truth RUNS    replaces build 1 by build 2 in RUNS recordings; prints, for each
#                         function, in how many the interval holds the change that the program
#                         itself measured: "FUNCTION HELD RUNS FOUND"
#   diff.sh same RUNS     RUNS pairs of recordings of one build, compiled twice; prints how
#                         many functions were marked: "marked N of M functions in RUNS pairs"
#   diff.sh perf          what perfstamp diff and `perf diff' say of the same two recordings
#   diff.sh large MB      the time and memory that both take for two files of so many MB
#   diff.sh deploy SECONDS  records a service in a series, as a user; replaces it after so many
#                         seconds, and has watch compare it as many seconds later
# MS=n: the CPU time of each build. PERF: the perf to compare with, by default the newest.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=await.sh
. "$(dirname "$0")/await.sh"
tools=$(realpath "${OUTPUT:-.output}")/tools
perfstamp=$(realpath "${OUTPUT:-.output}")/perfstamp
ms=${MS:-400}
runs=${2:-}
read -ra perf <<<"${PERF:-$(realpath scripts/perf) newest}"
export PERFSTAMP_CACHE=${PERFSTAMP_CACHE:-$HOME/.cache/perfstamp}
dir=$(mktemp -d -t perfstamp-diff.XXXXXX)
trap 'rm -rf "$dir"' EXIT
export HOME=$dir
cd "$dir"

# record FILE COMMAND...
record() {
	"$perfstamp" record -q -e cpu-clock -F 2000 -m 8M --map-ring-size 8M -o "$@"
}

# Both builds at one path; what each measured is in truth.1 and truth.2.
deploy() {
	cp "$tools/release-1" app
	./app "$ms" "$1" >truth.1
	cp "$tools/release-2" new
	mv new app
	./app "$ms" $((1000 + $1)) >truth.2
}

# Prints "FUNCTION HELD FOUND" of one recording. Both builds know renamed() by another name.
judge() {
	"$perfstamp" diff --json --no-debuginfod data 2>complaint |
		jq -r 'select(.type == "function") |
			"\(.symbol) \(.low) \(.high) \(.marked) \(.kind)"' |
		awk '
			FNR == 1 { file++ }
			file <= 2 { spent[file, $1] = $2; next }
			{ low[$1] = $2; high[$1] = $3; marked[$1] = $4; kind[$1] = $5 }
			function share(side, name) { return spent[side, name] / spent[side, "all"] }
			function tell(name, change, found) {
				print name, (low[name] <= change && change <= high[name]) + 0, found + 0
			}
			END {
				n = split("steady other slower inlined moved", names, " ")
				for (i = 1; i <= n; i++)
					change[names[i]] = share(2, names[i]) - share(1, names[i])
				tell("steady", change["steady"], 1)
				tell("other", change["other"], 1)
				tell("slower", change["slower"], marked["slower"] == "true")
				tell("inlined", change["inlined"], kind["inlined"] == "inlined")
				tell("moved", change["moved"], kind["moved"] == "moved")
				tell("old_name", -share(1, "named"), kind["old_name"] == "gone")
				tell("new_name", share(2, "named"), kind["new_name"] == "new")
			}' truth.1 truth.2 -
}

truth() {
	"$perfstamp" cache add "$tools/release-1" "$tools/release-2" "$tools/librelease.so" >/dev/null
	for ((run = 1; run <= runs; run++)); do
		record data -- bash -c "$(declare -f deploy); tools=$tools ms=$ms; deploy $run"
		judge
	done | awk -v runs="$runs" '
		{ held[$1] += $2; found[$1] += $3 }
		END { for (name in held) print name, held[name], runs, found[name] }' | sort
}

same() {
	for ((run = 1; run <= runs; run++)); do
		record first -- "$tools/release-1" "$ms" $((2 * run)) >/dev/null
		record second -- "$tools/release-1-again" "$ms" $((2 * run + 1)) >/dev/null
		"$perfstamp" diff --json --no-debuginfod first second 2>complaint |
			jq -r 'select(.type == "comparison") | "\(.marked) \(.functions) \(.tested)"'
	done | awk -v runs="$runs" '
		{ marked += $1; all += $2; tested += $3; any += $1 > 0 }
		END {
			print "marked", marked, "of", all, "functions in", runs, "pairs"
			print "of", tested, "with enough samples;", any, "pairs with a mark"
		}'
}

# Both know a build by the name of its file.
two_builds() {
	"$perfstamp" cache add "$tools/release-1" "$tools/release-2" "$tools/librelease.so" >/dev/null
	cp "$tools/release-1" app
	record before -- ./app "$ms" 1 >/dev/null
	cp "$tools/release-2" new
	mv new app
	record after -- ./app "$ms" 2 >/dev/null
}

perf() {
	two_builds
	echo "\$ perf diff before after"
	command "${perf[@]}" diff before after 2>/dev/null | grep -v '^ *$' | head -n 20
	echo
	echo "\$ perfstamp diff before after"
	"$perfstamp" diff --no-debuginfod before after
}

# A program of many functions that call one another deeply, so that samples are large; in its
# second build one function takes twice as long.
deep() {
	local i

	{
		echo 'static volatile unsigned long sink;'
		echo 'static unsigned long turn = 1;'
		echo 'void call(int depth);'
		for ((i = 0; i < 200; i++)); do
			echo "__attribute__((noinline)) void f$i(int depth) { call(depth - 1);" \
				"for (int i = 0; i < ($i == 7 && BUILD == 2 ? 600 : 300); i++) sink += i; }"
		done
		echo 'static void (*const ALL[])(int) = {'
		for ((i = 0; i < 200; i++)); do echo "f$i,"; done
		echo '};'
		cat <<-'END'
			void call(int depth)
			{
				turn = turn * 6364136223846793005u + 1;
				if (depth > 0)
					ALL[(turn >> 33) % 200](depth);
			}
			int main(void)
			{
				for (;;)
					call(100);
			}
		END
	} >deep.c
	gcc -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -DBUILD="$1" -Wl,--build-id \
		-o deep deep.c
	"$perfstamp" cache add deep >/dev/null
}

# weigh NAME COMMAND...: prints its seconds and the most memory it had, from the page cache.
weigh() {
	"${@:2}" >out 2>/dev/null
	/usr/bin/time -o took -f '%e %U %M' "${@:2}" >out 2>/dev/null
	read -r wall user kib <took
	echo "$1: $wall s, $user s user, $((kib / 1024)) MB"
}

large() {
	local build theirs

	for build in 1 2; do
		deep "$build"
		"$perfstamp" record -q -g -e cpu-clock -F 20000 -m 16M --max-size "${runs}M" -o "file.$build" -- \
			./deep >/dev/null 2>&1 || true
		stat -c '%n: %s bytes' "file.$build"
	done
	weigh 'perf diff' "${perf[@]}" diff file.1 file.2
	grep -m 3 '%' out
	theirs=("$user" "$kib")
	weigh 'perfstamp diff' "$perfstamp" diff --no-debuginfod file.1 file.2
	grep -m 3 '^\*' out || echo 'perfstamp diff: nothing is marked'
	awk -v a="${theirs[0]}" -v b="$user" -v c="${theirs[1]}" -v d="$kib" \
		'BEGIN { printf "perfstamp to perf: time %.2f, memory %.2f\n", b / a, d / c }'
}

deploy_service() {
	local recorder watcher
	local -a user=()

	# The tree may be one that the user cannot read.
	cp "$perfstamp" "$tools"/release-{1,2} "$tools/librelease.so" .
	perfstamp=$dir/perfstamp tools=$dir
	if [ "$(id -u)" = 0 ]; then
		chown 65534:65534 "$dir"
		user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	fi
	"${user[@]}" "$perfstamp" cache add "$tools"/release-{1,2} "$tools/librelease.so" >/dev/null
	cp "$tools/release-1" service
	cat >serve <<-END
		echo \$\$ >serving
		while [ -e serving ]; do $dir/service 1000 \$RANDOM >/dev/null; done
	END
	"${user[@]}" "$perfstamp" record -q -e cpu-clock:u -F 99 --switch-output=1m -o svc.data -- \
		bash serve &
	recorder=$!
	await [ -s serving ]
	touch watched
	"${user[@]}" "$perfstamp" watch -p "$(cat serving)" --event replaced --path "$dir/*" \
		--diff svc.data --diff-after "${runs}s" >watched 2>&1 &
	watcher=$!
	await grep -q 'existing mappings' watched
	sleep "$runs"
	cp "$tools/release-2" new
	mv new service
	AWAIT_SECONDS=$((runs + 60)) await grep -q ' compared ' watched
	find . -name 'svc.data*' | sort
	kill -0 "$recorder"
	kill -INT "$watcher"
	wait "$watcher" || true
	cat watched
	rm serving
	wait "$recorder"
}

[ "$1" != deploy ] || set -- deploy_service
"$1"
