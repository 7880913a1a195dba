#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What tests/guest/kernel-text.bats asks of one guest: a recording of everything that is
# kernel text, by whatever put it there, before it and while it runs. Leaves in /out what
# the host looks at, and says what it saw by lines of "NAME: VALUE".
set -u
cd "$(dirname "$(readlink -f "$0")")/../.." || exit
output=$(realpath "${OUTPUT:-.output}")
perfstamp=$output/perfstamp
tracing=/sys/kernel/tracing
work=$(mktemp -d)
export output perfstamp tracing work
# shellcheck source-path=SCRIPTDIR source=await.sh
. tests/lib/await.sh
export AWAIT_SECONDS=600
room=(-m 8M --map-ring-size 8M)

say() {
	printf '%s: %s\n' "$1" "$2"
}

# Another recorder's programs, at every mapping, fork and exit.
start_programs() {
	"$perfstamp" record -q -a -e cpu-clock -F 10 --rung "$1" -o "$work/$1" -- sleep 100000 &
	local pid=$!

	await test -s "$work/$1"
	echo "$pid" >>"$work/recorders"
}

probe() {
	echo "p:$1 $2" >>$tracing/kprobe_events
	echo 1 >"$tracing/events/kprobes/$1/enable"
}

processes() {
	local i

	for i in $(seq "$1"); do /bin/true; done
	find /usr/lib -xdev -name 'x*' >/dev/null
}

load() {
	processes 30
	start_programs sys_exit
	probe while vfs_write
	processes 30
	insmod "$work/burn.ko"
	echo 20 >/sys/module/burn/parameters/red
	rmmod burn
	modprobe raid6_pq
	processes 30
	echo nop >$tracing/current_tracer
	rmmod raid6_pq
	processes 10
}
export -f start_programs probe processes load await

mount -t tracefs none $tracing 2>/dev/null
tests/modules/build "$work/burn.ko" 1
modprobe dummy
start_programs fentry
probe before vfs_read
printf 'vfs_*\nksys_*\n' >$tracing/set_ftrace_filter
echo function >$tracing/current_tracer
"$perfstamp" record -v -a -e cpu-clock -F 999 "${room[@]}" -o /out/data -- bash -c load 2>/out/record.err
say record "$?"
bpftool prog show --json >/out/programs.json
"$perfstamp" record -q -a -e cpu-clock -F 99 "${room[@]}" -o - -- true 2>/out/pipe.err >/out/pipe
say pipe "$?"
xargs kill <"$work/recorders"
wait
echo "$work" >/out/work

# Modules that are there for a moment: one of the distribution's, one from elsewhere by a
# name that is not its own, and three of which no file tells: replaced before the recorder
# looks, from memory, and removed before.
mkdir "$work/away" /out/away
tests/modules/build "$work/away/burn.ko" 2
cp "$work/burn.ko" "$work/away/odd name"
cp "$work/away/burn.ko" "$work/away/removed"
cp "$work/away/burn.ko" "$work/away/replaced"
cp "$work/burn.ko" "$work/away/other"
cp "$work/burn.ko" /out/away/1.ko
cp "$work/away/burn.ko" /out/away/2.ko
moment() {
	modprobe raid6_pq && insmod "$work/away/odd name" && rmmod burn raid6_pq
	# The recorder, which the workload is a child of.
	kill -STOP "$PPID"
	until grep -q '^State:.*T' "/proc/$PPID/status"; do sleep 0.1; done
	"$output/tools/reload" 1 burn "$work/away/replaced"
	mv "$work/away/other" "$work/away/replaced"
	kill -CONT "$PPID"
	"$output/tools/reload" -m 1 burn "$work/away/burn.ko"
	exec 9<"$work/away/removed"
	rm "$work/away/removed"
	"$output/tools/reload" 1 burn /dev/fd/9
	cat /proc/kallsyms
}
export -f moment

# The kernel's code, and below, where that is refused, its symbols all the same.
"$perfstamp" record -a -e cpu-clock -F 99 "${room[@]}" --capture-kernel=kcore --buildid-dir /out/store \
	-o /out/kcore.data -- bash -c moment >/dev/null 2>/out/kcore.err
say kcore "$?"

# Modules that are gone while they are looked at, with and without BPF.
rmmod dummy
(while :; do modprobe dummy && insmod "$work/burn.ko"; rmmod burn dummy; done) 2>/dev/null &
loop=$!
bad=0
for i in 1 2 3 4; do
	rung=kprobe
	[ $((i % 2)) = 0 ] || rung=MMAP2
	"$perfstamp" record -q -a -e cpu-clock -F 999 "${room[@]}" --rung "$rung" -o "$work/vanish" -- true \
		>>/out/vanish.err 2>&1 || bad=$((bad + 1))
	# By MMAP2 records processes are gone before they can be looked at.
	"$perfstamp" check "$work/vanish" | grep '^wrong:' | grep -v missed-identities \
		>>/out/vanish.err
done
kill "$loop"
wait "$loop"
say vanish "$bad"

# For good: this is the last.
mount -t securityfs none /sys/kernel/security 2>/dev/null
echo confidentiality >/sys/kernel/security/lockdown
"$perfstamp" record -e cpu-clock:u --capture-kernel=kcore --buildid-dir /out/locked \
	-o "$work/locked" -- true 2>/out/locked.err
say locked "$?"
