#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Stands for perf in perf's own shell tests, under the name perf: `record' is ours, all
# else the newest stock perf's. In the environment: PERFSTAMP_ROOT, the top of the tree,
# and OUTPUT, where its programs are.
set -euo pipefail
# What the tests may have changed, but the cache of the stock perfs is in.
export HOME=${PERFSTAMP_SHIM_HOME:-$HOME}
perfstamp=$OUTPUT/perfstamp
workload=$OUTPUT/tools/perf_workload
cache=()

stock() { "$PERFSTAMP_ROOT/scripts/perf" newest "${cache[@]}" "$@"; }

# perf fills its build-id cache when a recording ends, which is another step here: what the
# recording has an id for is added, each by the id that its file has.
fill_cache() {
	local file=$1 path

	"$perfstamp" list --user "$file" | sed 's,^[^ ]* *,,' | while IFS= read -r path; do
		[ ! -f "$path" ] || stock buildid-cache -a "$path" </dev/null
	done
}

if [ "${1-}" = --buildid-dir ]; then
	cache=("$1" "$2")
	shift 2
fi
case "${1-} ${2-}" in
"record "*)
	status=0
	file=
	for ((i = 2; i < $#; i++)); do
		[ "${!i}" != -- ] || break
		[ "${!i}" != -o ] || { j=$((i + 1)) && file=${!j}; }
	done
	# What perf's workloads are here is no part of its command line.
	shift
	if [ ${#cache[@]} -eq 0 ]; then
		exec "$perfstamp" record "$@"
	fi
	"$perfstamp" record "$@" || status=$?
	fill_cache "$file"
	exit "$status"
	;;
# perf's own, Debian's perf being stripped, have no symbols to be found.
"test -w")
	shift 2
	exec "$workload" "$@"
	;;
"test -vv")
	nm "$workload" | sed 's/^.* / /'
	;;
*) stock "$@" ;;
esac
