# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# A scene of `make demo'; sourced by scripts/demo, which has what is not defined here. A server is
# rebuilt and its file replaced while it runs, and stock perf names the functions of both builds
# right.
# shellcheck disable=SC2154 # of scripts/demo

# The functions of the server's own code that perf sees in process $1: "name samples".
functions() {
	"${perf[@]}" --buildid-dir "$dir/cache" script -i "$dir/perf.data" --comms server \
		-F pid,ip,sym,dso 2>"$dir/perf.log" |
		awk -v pid="$1" -v file="($dir/server)" '$1 == pid && $NF == file { n[$3]++ }
			END { for (name in n) print name, n[name] }'
}

# What process $1 of release $2 did: $3, and nothing that perf takes for something else.
check_functions() {
	local pid=$1 release=$2 wanted=$3 name samples others=0 right=0

	while read -r name samples; do
		case $name in
		"$wanted") right=$samples ;;
		main) ;;
		*) others=$((others + samples)) ;;
		esac
	done < <(functions "$pid")
	if [ "$right" -lt 10 ] || [ "$others" -gt 0 ]; then
		cat "$dir/perf.log" >&2
		fail "process $pid runs release $release: $right samples in $wanted," \
			"$others in what is not there"
	fi
	say "process $pid, release $release: $right samples in $wanted, none elsewhere"
}

scene() {
	"${CC:-cc}" -O1 -g -Wl,--build-id -DRELEASE=1 -o server "$here/demo.d/server.c"
	# As a package archive would have it: the path itself has release 2 in a moment.
	cp server release-1

	say "A server runs. Its next release is built, takes the place of its file, and is started"
	say "too, while the first one goes on."
	show "perfstamp record -e cpu-clock -- deploy"
	"$perfstamp" record -o perf.data -e cpu-clock "$@" -- "$here/demo.d/deploy" "$here/demo.d/server.c" 2>&1
	old=$(cat pid-1)
	new=$(cat pid-2)

	show "perfstamp list --path '*/server'"
	"$perfstamp" list --path "$dir/server" | tee list
	[ "$(cat list)" = "$(printf '%s %s\n' "$(build_id release-1)" "$dir/server" \
		"$(build_id server)" "$dir/server")" ] ||
		fail "the two identities should be $(build_id release-1) and $(build_id server)"

	show "perf buildid-cache --add release-1,server; perf report --sort pid,dso,sym"
	"${perf[@]}" --buildid-dir "$dir/cache" buildid-cache --add release-1,server
	"${perf[@]}" --buildid-dir "$dir/cache" report -i perf.data --stdio -q --comms server \
		--dsos server --sort pid,dso,sym --percent-limit 1 2>"$dir/perf.log" |
		sed -e '/^#/d' -e 's/[- ]*$//' -e '/^$/d'

	# Otherwise a mix-up would not show.
	for name in bubble_sort shell_sort; do
		case $name in bubble_sort) other=shell_sort ;; *) other=bubble_sort ;; esac
		[ "$(address release-1 $name)" = "$(address server $other)" ] ||
			fail "$name and $other have not changed places: the linker put them elsewhere"
	done
	say
	check_functions "$old" 1 bubble_sort
	check_functions "$new" 2 shell_sort
	say "bubble_sort in release 1 and shell_sort in release 2 have the same address."
	say "If perf knew only the path, it would show samples of both functions under one name."
	rung=$("$perfstamp" dump --header-only perf.data | sed -n 's/.*text="rung: \(.*\)"/\1/p')
	say "Mappings were seen by ${rung:-?}; $("${perf[@]}" --version);" \
		"$(took)."
}
