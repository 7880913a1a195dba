# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Helpers of the tests that record on this machine: never system-wide, and by a software
# event, since a virtual machine has no other. Sourced in setup, by `load`.

bats_require_minimum_version 1.5.0
cd "$BATS_TEST_DIRNAME/../.." || exit
root=$PWD
perfstamp=$(realpath "${OUTPUT:-.output}")/perfstamp
# shellcheck disable=SC2034 # used by the tests
tools=$(realpath "${OUTPUT:-.output}")/tools
perfs=(6.1 6.12 newest)
# shellcheck source-path=SCRIPTDIR source=await.sh
. "$root/tests/lib/await.sh"
# shellcheck source-path=SCRIPTDIR source=memory.sh
. "$root/tests/lib/memory.sh"
# Rings with room for what a recorder that waits for its turn finds in them. A test of losses
# has its own.
room=(-m 8M --map-ring-size 8M)
# The stock perfs must neither fill the user's ~/.debug nor find symbols there.
export PERFSTAMP_CACHE=${PERFSTAMP_CACHE:-$HOME/.cache/perfstamp}
export HOME=$BATS_FILE_TMPDIR
unset DEBUGINFOD_URLS
# Servers of tests are on this machine.
export no_proxy=127.0.0.1,localhost${no_proxy:+,$no_proxy}
cd "$BATS_TEST_TMPDIR" || exit
declare -a started=()

# record OPTION...: what a test records, by the clock.
record() {
	"$perfstamp" record -e cpu-clock "${room[@]}" "$@"
}

# What a recording of others lasts for: so long on a CPU, which is a turn for those as well.
# shellcheck disable=SC2034 # used by the tests
a_while=("$tools/worker" 400)

# Runs a command in the background; its pid is in $pid. It is ended by recording__end.
start() {
	"$@" 3>&- &
	pid=$!
	started+=("$pid")
}

# For teardown. What has ended, and was waited for, is not ours any more: its number may
# be another process's.
recording__end() {
	local one

	for one in "${started[@]}"; do
		if [ "$(ps -o ppid= -p "$one" | tr -d ' ')" = "$BASHPID" ]; then
			kill -KILL "$one" 2>/dev/null || true
			wait "$one" 2>/dev/null || true
		fi
	done
	started=()
}

# each_round COMMAND...: as often as ROUNDS says, or once, each time in a directory of its own.
each_round() {
	local round
	local -a others=("${started[@]}")

	for ((round = 1; round <= ${ROUNDS:-1}; round++)); do
		mkdir "round.$round"
		cd "round.$round" || return
		started=()
		"$@"
		recording__end
		cd ..
	done
	started=("${others[@]}")
	echo "${ROUNDS:-1} rounds: $*"
}

# Starts worker with these arguments; its numbers are in the array ids: the process, then
# its threads.
start_worker() {
	local line

	line=$(mktemp worker.XXXXXX)
	start "$tools/worker" "$@" >"$line"
	await grep -q ready "$line"
	read -r -a ids <"$line"
	ids=("${ids[@]:1}")
}

# start_recording OPTION...: the same in the background, into the file data; its pid is in
# $pid. Waits until it records, which is when a first checkpoint tells of records.
start_recording() {
	rm -f data
	start "$perfstamp" record -e cpu-clock "${room[@]}" -o data "$@"
	await has_records data
}

# Records worker, which waits (-w) with its numbers in ids, from before its work to its end.
record_work() {
	start_recording "$@"
	kill -USR1 "${ids[0]}"
	end_by_itself
}

# Waits for the recorder, which must end without being told to.
end_by_itself() {
	await is_over
	wait "$pid"
}

# Whether process PID, or the recorder, has ended. The shell may have noticed it already: then
# it is no process any more.
is_over() {
	[[ $(ps -o stat= -p "${1:-$pid}") =~ ^([ZX].*)?$ ]]
}

# By the header's data.size, at 48. A file begins with one record of 8 bytes, so that it
# is never without.
has_records() {
	[ -s "$1" ] && [ "$(od -An -t u8 -j 48 -N 8 "$1" | tr -d ' ')" -gt 8 ] 2>/dev/null
}

# Whether FILE, which may be unfinished, has N samples.
has_samples() {
	[ "$({ "$perfstamp" dump --json "$1" 2>/dev/null || true; } | grep -c '"type":"SAMPLE"')" -ge "$2" ]
}

# Whether an object of FILE, which may be unfinished, is what the jq expression selects.
has_record() {
	[ -n "$({ "$perfstamp" dump --json "$1" 2>/dev/null || true; } | jq -c "select($2)" | head -n 1)" ]
}

# Sends SIGNAL to the recorder, and waits for its end; its status is in $status.
stop_recording() {
	status=0
	kill -"$1" "$pid"
	# shellcheck disable=SC2034 # for the caller
	wait "$pid" || status=$?
}

perf() {
	local version=$1

	shift
	"$root/scripts/perf" "$version" "$@"
}

# Prints the names of the worker's functions that samples of FILE are in, as perf resolves
# them, each once. Options of perf script may follow.
workers_of() {
	local version=$1 file=$2

	shift 2
	perf "$version" script -i "$file" -F ip,sym "$@" 2>script.stderr |
		grep -o 'worker_[a-z]*' | sort -u | xargs
}

# The samples of FILE, one a line; and how many there are.
samples() {
	"$perfstamp" dump --json "$1" | jq -c 'select(.type == "SAMPLE")'
}

# Whether FILE has a sample for each MS milliseconds that the worker was on a CPU, as it
# says in its own output, which is in WORKER. Roughly: a machine that is virtual may have been
# off its own CPU meanwhile, which its clocks take for time on it.
samples_each() {
	local file=$1 worker=$2 ms=$3 n used

	n=$(samples "$file" | wc -l)
	used=$(sed -n 's/^used //p' "$worker")
	echo "$n samples in $used ms"
	awk -v n="$n" -v wanted="$(awk -v used="$used" -v ms="$ms" 'BEGIN { print used / ms }')" \
		'BEGIN { exit !(n > 0.25 * wanted - 3 && n < 2 * wanted + 3) }'
}

count() {
	"$perfstamp" dump --json "$1" | jq -c "select($2)" | wc -l
}

# The event FILE was recorded by, as perf describes it: "KEY: VALUE, ...".
event_of() {
	perf newest evlist -v -i "$1" | head -n 1
}

# The samples in user space, of what perf script printed into FILE by ip,sym,dso, that are in
# no mapping. In the kernel it may be what others have loaded there meanwhile.
unmapped() {
	grep -E '(^| )[0-9a-f]{1,15} \[unknown\] \(\[unknown\]\)' "$1"
}

# A moment later than NS, as perf's --time wants it.
seconds_after() {
	awk -v ns="$1" 'BEGIN { printf "%.6f\n", ns / 1e9 + 0.001 }'
}

# Everything on stderr that does not begin as ours does.
not_ours() {
	grep -v '^perfstamp [a-z]*: \|^\[ perfstamp record: ' || true
}

# All perfs open FILE; what the newest prints is in script.out and script.err. Status 1 and why otherwise.
all_open() {
	local version

	for version in "${perfs[@]}"; do
		perf "$version" script -i "$1" >script.out 2>script.err || {
			echo "perf $version script $1: status $?" && cat script.err && return 1
		}
	done
}

# The same, the newest without a message; older ones complain of their own plugins.
all_read() {
	all_open "$1" || return 1
	[ ! -s script.err ] || { cat script.err && return 1; }
}

# A file that all perfs open, and check has nothing against; status 1 and why otherwise.
is_valid() {
	all_open "$1" || return 1
	"$perfstamp" check "$1" >check.out || { cat check.out && return 1; }
}

# script_stands_alone VERSION FILE: that perf reads FILE without a message, and finds in FILE alone
# the names of all threads and of what the worker did. What it prints is in script.VERSION.
script_stands_alone() {
	perf "$1" script -i "$2" -F comm,tid,time,ip,sym,dso >"script.$1" 2>script.err
	[ ! -s script.err ] || { echo "perf $1 $2: $(cat script.err)" && return 1; }
	# A thread without a COMM has its number for a name; in the kernel it goes on for a moment
	# after the record of its exit.
	if grep '^ *:[0-9]* *[0-9]* *[0-9.]*: *[0-9a-e]' "script.$1"; then return 1; fi
	# In the kernel it may be what others have loaded there meanwhile.
	if grep '^ *worker .*: *[0-9a-e][0-9a-f]* \[unknown\] (\[unknown\])' "script.$1"; then return 1; fi
}

# That check finds no problem in FILE, and each sample in a mapping.
check_finds_nothing() {
	"$perfstamp" check "$1" >check.out || { cat check.out && return 1; }
	if grep '^  user, not mapped  *[1-9]' check.out; then return 1; fi
}

# Runs perfstamp with tracefs, which is mounted on most machines but not in containers.
with_tracefs() {
	if [ -e /sys/kernel/tracing/events ]; then
		exec "$perfstamp" "$@"
	fi
	# shellcheck disable=SC2016 # what the shell in another namespace is to expand
	exec unshare -m sh -c 'mount -t tracefs nodev /sys/kernel/tracing && exec "$0" "$@"' \
		"$perfstamp" "$@"
}
