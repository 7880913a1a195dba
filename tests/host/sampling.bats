#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# A tree of processes is sampled in proportion to the time that it used, however short its
# processes live, and nobody else is.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
	cat >loop.sh <<-'END'
		i=0
		while [ $i -lt 400 ]; do /bin/true; i=$((i + 1)); done
	END
}

teardown() {
	recording__end
}

# within FROM TO VALUE: VALUE is from FROM to TO.
within() {
	echo "$3 in $1 to $2"
	awk -v low="$1" -v high="$2" -v value="$3" 'BEGIN { exit !(value >= low && value <= high) }'
}

@test "a loop of short processes has samples for the time it used, and each has a name" {
	local used n version

	TIMEFORMAT='%U %S'
	{ time record -q -F 999 -o data -- sh -c 'sh loop.sh; times >times'; } 2>/dev/null
	used=$(tail -n 1 times | awk '{ gsub(/[ms]/, " "); print ($1 * 60 + $2 + $3 * 60 + $4) * 999 }')
	n=$(samples data | wc -l)
	# The clocks of a virtual machine go on while it does not.
	within "$(awk -v n="$used" 'BEGIN { print 0.75 * n }')" "$(awk -v n="$used" 'BEGIN { print 1.25 * n + 20 }')" "$n"
	for version in "${perfs[@]}"; do
		perf "$version" script -i data -F comm | awk '{ print $1 }' | sort -u >names
		[ "$(xargs <names)" = "sh true" ]
	done
	is_valid data
}

# How many samples of FILE are of what loop.sh runs.
of_loop() {
	perf newest script -f -i "$1" -F comm | grep -cE '^ *(sh|true) *$'
}

@test "without BPF a note says that short processes are missed, and the summary how much" {
	local ours

	# As a user it has as many samples of the same processes as perf has as root: both record the
	# same run, since another one is a matter of luck.
	chmod 777 .
	run -0 --separate-stderr perf newest record -q -e cpu-clock:u -F 9999 -o theirs -- \
		setpriv --reuid nobody --regid nogroup --clear-groups --inh-caps=-all \
		"$perfstamp" record -e cpu-clock:u -F 9999 -o data -- sh loop.sh
	# shellcheck disable=SC2154 # set by run
	grep -q 'under-sampled: whole CPUs cannot be sampled' <<<"$stderr"
	ours=$(of_loop data)
	within "$(of_loop theirs | awk '{ print $1 - 3 * sqrt($1) - 3 }')" 100000 "$ours"
}

@test "no sample and no name of a busy neighbour is in the file, and one thread is one thread" {
	local neighbour tid other

	start "$tools/worker" 100000
	neighbour=$pid
	record -q -o data -- sh loop.sh
	[ "$(count data '.type == "SAMPLE"')" -gt 100 ]
	[ "$(count data ".pid == $neighbour")" -eq 0 ]
	run -1 grep -a worker data
	record -q -p "$neighbour" -o data -- "${a_while[@]}" >/dev/null
	[ "$(samples data | jq .pid | sort -u)" = "$neighbour" ]
	[ "$(samples data | wc -l)" -gt 50 ]
	start_worker -t 2 100000
	tid=${ids[1]} other=${ids[2]}
	record -q -t "$tid" -o data -- "${a_while[@]}" >/dev/null
	[ "$(samples data | jq .tid | sort -u)" = "$tid" ]
	[ "$(count data ".type == \"SAMPLE\" and .tid == $other")" -eq 0 ]
}

@test "nor is it where the processes of a user are recorded" {
	local neighbour

	chmod 777 .
	start "$tools/worker" 100000
	neighbour=$pid
	start setpriv --reuid 64321 --regid 64321 --clear-groups sh -c 'while :; do /bin/true; done'
	await pgrep -U 64321 -x sh
	record -q -u 64321 -o data -- "${a_while[@]}" >/dev/null
	[ "$(count data '.type == "SAMPLE"')" -gt 10 ]
	[ "$(count data ".pid == $neighbour")" -eq 0 ]
	[ "$(perf newest script -i data -F comm | awk '{ print $1 }' | sort -u | xargs)" = "sh true" ]
}

@test "what a user's processes fork while the recording begins is sampled, too" {
	chmod 777 .
	cat >forks.sh <<-'END'
		while [ ! -e enough ]; do
			sh -c 'echo $$ >>forked
				while [ ! -e go ]; do sleep 0.1; done
				i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' &
			sleep 0.01
		done
		wait
		: >computed
		# The recording ends with the last of them.
		exec sleep 600
	END
	start setpriv --reuid 64323 --regid 64323 --clear-groups sh forks.sh
	await has_lines forked 5
	start_recording -F 999 -u 64323
	: >enough
	: >go
	await test -e computed
	stop_recording INT
	samples data | jq .pid | sort -u >sampled
	[ "$(wc -l <forked)" -gt 10 ]
	sort -u forked | comm -23 - sampled >missed
	echo "missed: $(xargs <missed)"
	[ ! -s missed ]
}

# Neighbours that fork, execute programs with names of their own, map code and compute; each
# writes down its number.
start_strangers() {
	cp "$tools/worker" a-stranger
	cat >strangers.sh <<-'END'
		echo $$ >>strangers
		while :; do
			sh -c 'echo $$ >>strangers; exec ./a-stranger 3' >/dev/null
		done
	END
	start sh strangers.sh
	start "$tools/worker" 100000
	echo "$pid" >>strangers
}

# has_lines FILE N: each turn of a loop writes one.
has_lines() {
	[ -e "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ]
}

# nothing_of_strangers OPTION...: starts a recorder, stops it, lets the tree and the strangers run
# meanwhile, and looks at what the kernel has put into the rings; and then into the file.
nothing_of_strangers() {
	local n line recorder

	start_recording "$@"
	recorder=$pid
	kill -STOP "$recorder"
	n=$(wc -l <strangers)
	await has_lines strangers $((n + 40))
	n=$(wc -l <ours)
	await has_lines ours $((n + 40))
	"$tools/ring_search" "$recorder" strangers a-stranger one-of-ours >rings
	kill -CONT "$recorder"
	stop_recording INT
	# The strangers' own programs did run, and the rings have what ours did meanwhile.
	echo "# $*: $(paste -s -d ';' rings)" >&3
	[ "$(awk '$1 == "word" && $2 == "one-of-ours:" { print $3 }' rings)" -gt 20 ]
	[ "$(sed -n 's/^records of type 9: \([0-9]*\), .*/\1/p' rings)" -gt 20 ]
	grep -qx 'word a-stranger: 0' rings
	# That the kernel throttled an event (5 and 6) names the thread that was running.
	while read -r line; do
		[[ $line =~ ^records\ of\ type\ [56]: || $line == *"of the processes: 0" ]]
	done < <(grep 'of the processes' rings)
	run -1 grep -a a-stranger data
	"$perfstamp" dump --json data | jq -r 'select(.pid and .type != "THROTTLE" and
		.type != "UNTHROTTLE") | "\(.pid) \(.type)"' |
		awk 'FILENAME == "strangers" { is[$1]; next } $1 in is' strangers - >theirs
	head -n 3 theirs
	[ ! -s theirs ]
	[ "$(count data '.type == "SAMPLE"')" -gt 20 ]
}

@test "nothing of busy neighbours is in the rings of the recorder, nor in the file" {
	local tree

	chmod 777 .
	start_strangers
	cp "$tools/worker" one-of-ours
	cat >ours.sh <<-'END'
		while :; do
			./one-of-ours 3 >/dev/null
			echo >>ours
		done
	END
	start setpriv --reuid 64322 --regid 64322 --clear-groups sh ours.sh
	tree=$pid
	await has_lines strangers 3
	await has_lines ours 3
	nothing_of_strangers -p "$tree"
	nothing_of_strangers -t "$tree"
	nothing_of_strangers -u 64322
	nothing_of_strangers --rung MMAP2 -p "$tree"
	kill "$tree" && wait "$tree" || true
	nothing_of_strangers -- sh ours.sh
}
