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
	said 'CPU 1 came on-line and is recorded'
	works came
	echo 0 >$cpu
	said 'CPU 1 went off-line'
	echo 1 >$cpu
	said 'CPU 1 was off-line and is recorded again'
	works back
	end
}

left_out() {
	echo 0 >$cpu
	begin "$@"
	echo 1 >$cpu
	said 'CPU 1 came on-line and is not sampled'
	end
}

ends() {
	begin "$@"
	echo 0 >$cpu
	said 'CPU 1 went off-line: it will not be sampled again, even if it comes back'
	echo 1 >$cpu
	said 'CPU 1 came on-line and is not sampled'
	"$tools/worker" 500 >/dev/null
	end
}

came_back() {
	[ "$(grep -c 'CPU 1 was off-line and is recorded again' "$out/$name.said")" -gt "$1" ]
}

# Away and back before anybody looks, with records in its ring that are not read yet.
flips() {
	local worker n

	echo 0 >$cpu
	begin "$@"
	echo 1 >$cpu
	said 'CPU 1 came on-line and is recorded'
	"$tools/worker" 1000000000 >/dev/null &
	worker=$!
	for n in {0..5}; do
		taskset -p -c 1 $worker >/dev/null
		echo 0 >$cpu
		echo 1 >$cpu
		await came_back "$n"
	done
	kill $worker
	end
}

files_are() {
	local files=("$out/$name.data".*)

	[ ${#files[@]} -eq "$1" ] && [ -e "${files[0]}" ]
}

rotated() {
	local n file

	echo 0 >$cpu
	begin "$@" --switch-output
	echo 1 >$cpu
	said 'CPU 1 came on-line and is not sampled'
	for n in 1 2; do
		kill -USR2 $recorder
		await files_are "$n"
	done
	kill -INT $recorder
	wait $recorder
	await files_are 3
	for file in "$out/$name.data".*; do
		"$perfstamp" check "$file" >>"$out/$name.check"
	done
}

comes whole -a -e cpu-clock,context-switches -F 500 -m 4M
comes mmap2 -a --rung MMAP2 -e cpu-clock -F 500 -m 4M
flips flips -a -e cpu-clock -F 999 -m 4M
for how in left_out ends rotated; do
	$how $how -a -e '{cpu-clock,context-switches}:S' -F 99 -m 4M
done
"$tools/worker" -s 1000000000 >/dev/null &
sleeper=$!
left_out threads -p $sleeper -e cpu-clock -F 99 -m 4M
kill $sleeper
for name in whole mmap2 flips; do
	for version in 6.1 6.12 newest; do
		scripts/perf $version script -F comm,cpu,event,ip,sym -i "$out/$name.data" \
			>"$out/$name.$version" 2>"$out/$name.$version.errors"
	done
done
