#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs in a guest with two CPUs, as root, at the tree's root: cpus.sh DIR leaves in DIR what
# tests/guest/cpus.bats judges.
set -Eeuo pipefail
# shellcheck source-path=SCRIPTDIR source=await.sh
. tests/lib/await.sh
AWAIT_SECONDS=600
tools=$(realpath "${OUTPUT:-.output}/tools")
perfstamp=$(realpath "${OUTPUT:-.output}/perfstamp")
out=$1
trap 'echo "failed: $BASH_COMMAND" >&2; tail -n 30 "$out/$name".{said,check} >&2' ERR
cpu=/sys/devices/system/cpu/cpu1/online

# begin NAME OPTION...: records until end, with CPU 1 on-line at first or off-line.
begin() {
	name=$1
	shift
	"$perfstamp" record -v -o "$out/$name.data" "$@" 2>"$out/$name.said" &
	recorder=$!
	await test -s "$out/$name.data"
}

said() {
	await grep -q "$1" "$out/$name.said"
}

end() {
	kill -INT $recorder
	wait $recorder
	# By MMAP2 who is over at once may have been so before it could be identified.
	"$perfstamp" check "$out/$name.data" >"$out/$name.check" || [ "$name" = mmap2 ]
}

# works PROGRAM: on the CPU that came, under that name.
works() {
	cp "$tools/worker" "/tmp/$1"
	taskset -c 1 "/tmp/$1" -c 500 >/dev/null
}

# Twice, as what is opened later is taken away as well.
comes() {
	echo 0 >$cpu
	begin "$@"
	echo 1 >$cpu
	said 'CPU 1 came on-line, and is recorded'
	works came
	echo 0 >$cpu
	said 'CPU 1 went off-line'
	echo 1 >$cpu
	said 'CPU 1 was off-line, and is recorded again'
	works back
	end
}

left_out() {
	echo 0 >$cpu
	begin "$@"
	echo 1 >$cpu
	said 'CPU 1 came on-line, and what runs there is not recorded'
	end
}

ends() {
	begin "$@"
	echo 0 >$cpu
	said 'CPU 1 went off-line: it is not sampled any more, even if it comes back'
	echo 1 >$cpu
	said 'CPU 1 came on-line, and what runs there is not recorded'
	"$tools/worker" 500 >/dev/null
	end
}

comes whole -a -e cpu-clock,context-switches -F 500 -m 4M
comes mmap2 -a --rung MMAP2 -e cpu-clock -F 500 -m 4M
for how in left_out ends; do
	$how $how -a -e '{cpu-clock,context-switches}:S' -F 99 -m 4M
done
"$tools/worker" -s 1000000000 >/dev/null &
sleeper=$!
left_out threads -p $sleeper -e cpu-clock -F 99 -m 4M
kill $sleeper
for name in whole mmap2; do
	for version in 6.1 6.12 newest; do
		scripts/perf $version script -F comm,cpu,event,ip,sym -i "$out/$name.data" \
			>"$out/$name.$version" 2>"$out/$name.$version.errors"
	done
done
