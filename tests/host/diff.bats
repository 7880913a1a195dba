#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# diff: what a release changed. The program is one of which that is known
# (tests/tools/release.c). `make diff-truth' repeats what has to do with chance, many times.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash

# deploy [MS]: build 1 runs, and then build 2 at its path. Both get SIGUSR1, or run for so long.
write_deploy() {
	cat >deploy <<-EOF
		cp $tools/release-1 app && ./app \$1 1 >truth.1
		cp $tools/release-2 new && mv new app && ./app \$1 2 >truth.2
	EOF
}

setup_file() {
	load ../lib/recording.bash
	cd "$BATS_FILE_TMPDIR" || return
	write_deploy
	record -q -F 2000 -g -o deployed -- sh deploy 1500
	record -q -F 2000 -o first -- "$tools/release-1" 400 3 >/dev/null
	record -q -F 2000 -o again -- "$tools/release-1-again" 400 4 >/dev/null
	"$perfstamp" cache add "$tools"/release-{1,1-again,2} "$tools/librelease.so" >/dev/null
}

setup() {
	load ../lib/recording.bash
	cp "$BATS_FILE_TMPDIR"/{deployed,first,again} .
}

# The cgroups below $pods, and its parent, which this test has made.
remove_pods() {
	if [ -d "${pods:-/nonexistent}" ]; then
		find "${pods%/*}" -depth -type d -exec rmdir {} +
	fi
}

teardown() {
	# The service ends where its file is gone; it is the recorder's child, not ours.
	rm -f "${place:-/nonexistent}/serving"
	recording__end
	rm -rf "${place:-/nonexistent}"
	remove_pods
}

# functions_of OPTION...: of the functions of the program, "NAME KIND MARKED", by name.
functions_of() {
	"$perfstamp" diff --json --no-debuginfod "$@" >json
	jq -r 'select(.type == "function" and (.dso | . == "app" or . == "librelease.so" or
		startswith("release")) and (.samples_before + .samples_after > 20)) |
		"\(.symbol) \(.kind) \(.marked)"' json | sort
}

# value TYPE SYMBOL KEY: of the JSON that functions_of has written.
value() {
	jq "select(.type == \"$1\" and .symbol == \"$2\") | .$3" json
}

@test "a deploy is found in a recording, and what it changed" {
	functions_of deployed >rows
	cat rows
	grep -qx 'slower null true' rows
	grep -qx 'inlined inlined [a-z]*' rows
	grep -qx 'moved moved [a-z]*' rows
	grep -qx 'old_name gone true' rows
	grep -qx 'new_name new true' rows
	[ "$(value function old_name maybe_renamed)" = '"new_name"' ]
	[ "$(value function inlined into)" = '"main"' ]
	[ "$(value function moved dso_before)" = '"app"' ]
	[ "$(value function slower 'file')" = '"release.c"' ]
	[ "$(jq -r 'select(.type == "comparison") | .before.build' json)" = \
		"$(readelf -n "$tools/release-1" | awk '/Build ID/ { print $3 }')" ]
	[ "$(jq -r 'select(.type == "comparison") | .per' json)" = process ]
	run -0 --separate-stderr "$perfstamp" diff --no-debuginfod deployed
	grep -q '^# before: build [0-9a-f]\{12\}, [0-9]* samples of 1 process, ' <<<"$output"
	grep -q '^# Values are shares of all cpu-clock samples of each side' <<<"$output"
	grep -q '^\*  .* slower  release.c$' <<<"$output"
	grep -q 'librelease.so  *moved  release.c (moved from app)' <<<"$output"
	grep -q '(gone; is it now new_name?)' <<<"$output"
	grep -q '(now inlined into main)' <<<"$output"
}

@test "a file that was written in place had two builds, too" {
	record -q -F 2000 -o rewritten -- sh -c \
		"cp $tools/release-1 app && ./app 300 1 && cp $tools/release-2 app && ./app 300 2" >/dev/null
	functions_of rewritten >rows
	cat rows
	grep -qx 'old_name gone true' rows
	[ "$(jq -r 'select(.type == "comparison") | .after.build' json)" = \
		"$(readelf -n "$tools/release-2" | awk '/Build ID/ { print $3 }')" ]
	run ! grep -F '"ld-linux-x86.so"' json
	# It cannot be divided by itself.
	run -1 "$perfstamp" diff --per cpu-clock rewritten
	[ "$output" = "perfstamp diff: besides cpu-clock, by which --per divides, no event has samples both before and after; record another one" ]
}

@test "intervals hold what the programs have measured themselves" {
	MS=400 OUTPUT=$(dirname "$perfstamp") "$root/tests/lib/diff.sh" truth 3 >truths
	cat truths
	# 21 intervals of 95 %, and as much to be found.
	[ "$(awk '{ n += $2 } END { print n }' truths)" -ge 17 ]
	[ "$(awk '{ n += $4 } END { print n }' truths)" -ge 19 ]
}

@test "of one build that was compiled twice next to nothing is marked" {
	MS=300 OUTPUT=$(dirname "$perfstamp") "$root/tests/lib/diff.sh" same 3 >sums
	cat sums
	awk '/^marked/ { exit !($2 <= 0.05 * $4) }' sums
}

@test "two recordings are compared, and selections of one" {
	local -a pids

	functions_of first again >rows
	cat rows
	# The names of the files differ, so that these are what is common: the C library, the kernel.
	run -0 --separate-stderr "$perfstamp" diff --no-debuginfod first again
	grep -q '^# after:  [0-9]* samples of 1 process, .*, again$' <<<"$output"
	# By process and by build it is the same.
	mapfile -t pids < <("$perfstamp" report --json --no-debuginfod -s pid,dso deployed |
		jq -r 'select(.type == "row" and .dso == "app" and .samples > 20) | "\(.build_id) \(.pid)"' |
		sort -u)
	[ ${#pids[@]} -eq 2 ]
	functions_of deployed >by_deploy
	# shellcheck disable=SC2046
	set -- $(printf '%s\n' "${pids[@]}" | sed -n "/^$(readelf -n "$tools/release-1" |
		awk '/Build ID/ { print $3 }')/p") $(printf '%s\n' "${pids[@]}" |
		sed "/^$(readelf -n "$tools/release-1" | awk '/Build ID/ { print $3 }')/d")
	[ $# -eq 4 ]
	functions_of --before "pid=$2" --after "pid=$4" deployed | grep -v ' null false' >by_pid
	grep -v ' null false' by_deploy >expected
	cat by_pid
	diff expected by_pid
	functions_of --before "build-id=$1" --after "build-id=${3:0:12}" deployed >by_build
	diff by_deploy by_build
	functions_of --before 'comm=app,build-id='"$1" --after "comm=a*,build-id=$3" deployed >by_comm
	diff by_deploy by_comm
	# A sample that both options select is on neither side.
	local both n
	n=$("$perfstamp" report --json --no-debuginfod -s comm deployed |
		jq 'select(.type == "row" and .comm == "app").samples')
	for both in 'comm=* comm=app' 'comm=app comm=*' 'time=0- comm=app' "comm=app build-id=$1,comm=*" \
		"build-id=$1 build-id=${1:0:4}"; do
		run -1 "$perfstamp" diff --no-debuginfod --before "${both% *}" --after "${both#* }" deployed
		[[ $output =~ ^"perfstamp diff: "([0-9]+)" samples match both --before and --after; select each by one of them"$ ]]
		[[ $both == *build-id* || ${BASH_REMATCH[1]} -eq $n ]]
	done
}

@test "containers and pods of one recording are compared" {
	local mount=/sys/fs/cgroup one two n

	[ "$(stat -fc %T "$mount")" = cgroup2fs ] || mount=/sys/fs/cgroup/unified
	[ "$(stat -fc %T "$mount")" = cgroup2fs ] || skip "cgroup2 is not mounted"
	one=$(sha256sum <<<"$BATS_TEST_TMPDIR 1")
	two=$(sha256sum <<<"$BATS_TEST_TMPDIR 2")
	one=${one%% *} two=${two%% *}
	pods=$mount/kubepods-${one:0:12}.slice
	mkdir "$pods"
	pods=$pods/kubepods-besteffort.slice
	mkdir "$pods" "$pods/kubepods-besteffort-pod11111111_2222_3333_4444_555555555555.slice" \
		"$pods/kubepods-besteffort-pod66666666_7777_8888_9999_000000000000.slice"
	set -- "$pods"/*1_2222*.slice/ "$pods"/*6_7777*.slice/
	set -- "$1cri-containerd-$one.scope" "$2cri-containerd-$two.scope"
	mkdir "$@"
	# The third is in none.
	mkdir 1 2
	cp "$tools/release-1" 1/app
	cp "$tools/release-2" 2/app
	record -q -F 2000 -o contained -- sh -c "
		sh -c 'echo \$\$ >pid.1; echo \$\$ >$1/cgroup.procs; exec 1/app 500'
		sh -c 'echo \$\$ >pid.2; echo \$\$ >$2/cgroup.procs; exec 2/app 500'
		1/app 200" >/dev/null
	remove_pods
	functions_of --before "container=${one:0:12}*,comm=app" --after "container=$two,comm=app" \
		contained >by_container
	cat by_container
	grep -qx 'slower null true' by_container
	grep -qx 'old_name gone true' by_container
	grep -qx 'new_name new true' by_container
	# As many samples as stock perf has of these processes. Between its exec and its first mapping,
	# which tells its cgroup, a process may be sampled once or twice.
	jq -r 'select(.type == "comparison") | .before.samples, .after.samples' json >ours
	perf newest script -i contained -F comm,pid 2>/dev/null >samples
	for n in 1 2; do
		grep -c "^ *app *$(cat "pid.$n") *$" samples
	done | paste ours - | tee counts
	awk '$1 > $2 || $1 < $2 - 2 { exit 1 }' counts
	functions_of --before pod=11111111-2222-3333-4444-555555555555,comm=app \
		--after 'pod=66666666-*,comm=app' contained >by_pod
	diff by_container by_pod
	run -1 "$perfstamp" diff --before "container=$one" --after container=none contained
	[[ $output == *"no samples after the change match --before and --after"* ]]
	run -1 "$perfstamp" diff --before pod=none --after "container=$two" contained
	[[ $output == *"no samples before the change match --before and --after"* ]]
}

@test "two recordings of two kernels: the functions of each are named by its own symbols" {
	local id hot other

	record -q -F 2000 -o here -- dd if=/dev/zero of=/dev/null bs=1M count=20000 2>/dev/null
	id=$("$perfstamp" list --kernel here | awk '$2 == "[kernel.kallsyms]" { print $1 }')
	hot=$("$perfstamp" report --json --no-debuginfod -s dso,sym here |
		jq -rs '[.[] | select(.type == "row" and .dso == "[kernel.kallsyms]")] | max_by(.samples) | .symbol')
	# Of another kernel: the build-id is another, and so is the name of what is hot.
	other=0123456789abcdef${id:16}
	# shellcheck disable=SC2016 # for perl
	perl -0777 -pe 'BEGIN { ($id, $other) = map { pack "H*", $_ } splice @ARGV, 0, 2 } s/\Q$id/$other/g' \
		"$id" "$other" here >there
	mkdir -p "store/kept/$other" "store/.build-id/${other:0:2}"
	ln -s "../../kept/$other" "store/.build-id/${other:0:2}/${other:2}"
	sed "s/\<$hot$/of_other_kernel/" /proc/kallsyms >"store/kept/$other/kallsyms"
	run -0 "$perfstamp" list --kernel there
	[[ ${lines[0]} == "$other "* ]]
	"$perfstamp" diff --json --no-debuginfod --buildid-dir store here there >json
	jq -c 'select(.type == "function" and .samples_before + .samples_after > 20)' json
	[ "$(value function "$hot" kind)" = '"gone"' ]
	[ "$(value function "$hot" dso)" = '"[kernel.kallsyms]"' ]
	[ "$(value function of_other_kernel kind)" = '"new"' ]
	[ "$(value function "$hot" maybe_renamed)" = '"of_other_kernel"' ]
	[ "$(value function "$hot" samples_before)" = "$(value function of_other_kernel samples_after)" ]
	# All else is the same, and nothing of it is marked.
	[ "$(jq -r --arg hot "$hot" 'select(.type == "function" and .symbol != $hot and
		.symbol != "of_other_kernel" and (.marked or .samples_before != .samples_after)) |
		.symbol' json)" = "" ]
}

@test "units: DSO, second, and an event that counts work" {
	functions_of --per dso deployed >/dev/null
	[ "$(jq -s '[.[] | select(.type == "function" and (.dso_before // .dso) == "app") |
		.before] | add | . > 0.999 and . < 1.001' json)" = true ]
	# A CPU is busy with it for some part of each second; the library has what was moved.
	functions_of --per second deployed >/dev/null
	[ "$(jq -s '[.[] | select(.type == "function") | .after] | add | . > 0 and . < 1.5' json)" = true ]
	# Each page fault is work here: of what takes as long, as much.
	record -q -F 2000 -e page-faults/period=1/ -o faults -- sh -c \
		"cp $tools/release-1 app && ./app 300 && cp $tools/release-2 new && mv new app && ./app 300" >/dev/null
	functions_of --per page-faults faults >rows
	[ "$(jq -r 'select(.type == "comparison") | .before.per_event_count > 10' json)" = true ]
	grep -q '^slower null' rows
	run -0 --separate-stderr "$perfstamp" diff --per page-faults --no-debuginfod faults
	grep -q '^# Values are microseconds of CPU time (cpu-clock) for each page-faults' <<<"$output"
	run -1 "$perfstamp" diff --per nothing faults
	[[ $output == *"event nothing has no samples on both sides"* ]]
	run -1 "$perfstamp" diff --per second -e page-faults faults
	run -1 "$perfstamp" diff --per cpu-clock -e page-faults faults
	[[ $output == *"requires samples of cpu-clock"* ]]
}

@test "callers, source lines, and folded chains" {
	functions_of -g --source deployed >/dev/null
	[ "$(jq -r 'select(.type == "called" and .symbol == "main") | .before > 0.9 and .after > 0.9' json)" = true ]
	# In its first instruction a function has no frame yet, so that its caller's caller is met.
	[ "$(jq -rs 'map(select(.type == "call" and .symbol == "slower")) | max_by(.before) | .caller' json)" = main ]
	[ "$(jq -r 'select(.type == "line" and .symbol == "steady" and .samples_before > 20) | .srcline' json | wc -l)" -ge 1 ]
	run -0 --separate-stderr "$perfstamp" diff -g --source --no-debuginfod deployed
	grep -q '    from main$' <<<"$output"
	grep -q '    release.c:[0-9]*$' <<<"$output"
	# As difffolded.pl writes it: chain, before, after; the sums are equal.
	"$perfstamp" diff --folded --no-debuginfod deployed >folded
	run -1 grep -vE '^[^ ].* [0-9]+ [0-9]+$' folded
	grep -qE '^app;.*main;slower [0-9]+ [0-9]+$' folded
	awk '{ before += $(NF - 1); after += $NF } END { print before, after
		exit !(before > 0.97 * after && before < 1.03 * after) }' folded
	run -1 "$perfstamp" diff -g first again
	[[ $output == *"have no call chains"* ]]
}

@test "a build without symbols is compared as a whole, and a warning says so" {
	mkdir empty
	run -0 --separate-stderr "$perfstamp" diff --buildid-dir empty --no-debuginfod deployed
	grep -q 'samples before are in functions without a name' <<<"$stderr"
	grep -q 'app  *\[no symbols\]' <<<"$output"
	run -1 grep -q 'slower' <<<"$output"
}

@test "a deploy in a series that is still recorded is judged, by a user" {
	local service
	local -a user

	# Where a user gets to.
	place=$(mktemp -d /tmp/perfstamp-diff.XXXXXX)
	chmod 777 "$place"
	cd "$place" || return
	service=$place/service
	# The user's symbols are in the user's own cache.
	user=(setpriv --reuid 65534 --regid 65534 --clear-groups env "HOME=$place/home")
	mkdir -m 777 home service.d
	"${user[@]}" "$perfstamp" cache add "$tools"/release-{1,2} "$tools/librelease.so" >/dev/null
	cp "$tools/release-1" service
	cat >serve <<-EOF
		echo \$\$ >serving
		while [ -e serving ]; do
			$service 300 \$RANDOM >/dev/null
			echo \$((++turns)) >turns
		done
	EOF
	start "${user[@]}" "$perfstamp" record -q -e cpu-clock:u -F 2000 --switch-output=1s \
		-o service.d/data -- bash serve
	await_turns() { [ "$(cat turns 2>/dev/null || echo 0)" -ge "$1" ]; }
	await await_turns 10
	cp "$tools/release-2" new
	mv new service
	await await_turns 20
	# More than one file, and the recorder has not ended.
	[ "$(find service.d -name 'data*' | wc -l)" -gt 2 ]
	kill -0 "$pid"
	run -0 --separate-stderr "${user[@]}" "$perfstamp" diff --since-replaced "$service" --json \
		--no-debuginfod service.d/data
	kill -0 "$pid"
	printf '%s\n' "$output" >json
	jq -c 'select(.type == "comparison")' json
	[ "$(jq -r 'select(.type == "comparison") | .before.files >= 1 and .after.files > 1 and
		.before.last_ns <= .after.first_ns' json)" = true ]
	[ "$(value function slower marked)" = true ]
	[ "$(value function moved kind)" = '"moved"' ]
	[ "$(value function old_name kind)" = '"gone"' ]
	# Of the time before there is no more than was asked for.
	"${user[@]}" "$perfstamp" diff \
		--since-replaced "$service" --window 1s --json \
		--no-debuginfod service.d/data >json 2>/dev/null
	[ "$(jq -r 'select(.type == "comparison") | .before.last_ns - .before.first_ns <= 1e9' json)" = true ]
	run -1 "$perfstamp" diff --since-replaced /no/such service.d/data
	[[ $output == *"nothing mapped /no/such"* ]]
	run -1 "$perfstamp" diff --since-replaced "$service" nothing
	[[ $output == *"neither this file nor a series of it exists"* ]]
}

id_of() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

@test "a deploy is compared with what it replaced in its own container" {
	local other

	mkdir a b app
	cp "$tools/release-1" a/svc
	cp "$tools/release-2" new
	echo 'volatile int x; int main(void) { for (int i = 0; i < 200000000; i++) x += i; return 0; }' >other.c
	cc -O0 -Wl,--build-id=0x99999999 -o b/svc other.c
	# One after the other, so that the last program before the deploy is the other container's.
	cat >work <<-'EOF'
		mount --bind a app
		"$PWD/app/svc" 300 1
		unshare -m sh -c 'mount --bind b app && exec "$PWD/app/svc"'
		mv new a/svc
		"$PWD/app/svc" 300 1
	EOF
	"$perfstamp" record -q -e cpu-clock:u -F 2000 -o data -- unshare -m bash work >/dev/null
	for options in '' "--since-replaced $PWD/app/svc" "--since-replaced $PWD/app/svc --after build-id=$(id_of "$tools/release-2")"; do
		# shellcheck disable=SC2086
		"$perfstamp" diff --no-debuginfod --json $options data >json 2>err
		[ "$(jq -r 'select(.type == "comparison") | .before.build, .after.build' json | xargs)" = \
			"$(id_of "$tools/release-1") $(id_of "$tools/release-2")" ]
		run ! grep "was not replaced" err
	done
	run -1 "$perfstamp" diff --no-debuginfod --since-replaced "$PWD/app/svc" --after build-id=88 data
	[[ $output == *"data: the build of --after was not mapped at $PWD/app/svc"* ]]
	for other in comm=sh build-id=99,comm=sh; do
		run -2 "$perfstamp" diff --since-replaced "$PWD/app/svc" --after "$other" data
		[[ $output == *"with --since-replaced, --after has to be build-id=HEX"* ]]
	done
}

@test "recordings of perf are compared, and what cannot be compared is an error" {
	perf newest record -q -N -e cpu-clock -F 2000 --buildid-mmap -o theirs -- sh \
		"$BATS_FILE_TMPDIR/deploy" 1500 >/dev/null 2>&1
	functions_of theirs >rows
	grep -qx 'slower null true' rows
	run -1 "$perfstamp" diff first
	[[ $output == *"first: no path had two builds with samples; give two recordings"* ]]
	run -1 "$perfstamp" diff --path '*/nothing' deployed
	[[ $output == *"no path that matches */nothing had two builds"* ]]
	run -1 "$perfstamp" diff --before comm=nothing --after comm=app deployed
	[[ $output == *"no samples before the change match --before and --after"* ]]
	run -2 "$perfstamp" diff --before comm=app deployed
	[[ $output == *"have to be given together"* ]]
	run -2 "$perfstamp" diff --before nonsense=1 --after comm=app deployed
	[[ $output == *"--before requires build-id=HEX"* ]]
	run -2 "$perfstamp" diff --window 5x deployed
	run -2 "$perfstamp" diff one two three
	run -1 "$perfstamp" diff nothing again
	[[ $output == *"nothing"* ]]
	head -c "$(($(stat -c %s deployed) - 20000))" deployed >cut.data
	run -0 --separate-stderr "$perfstamp" diff --no-debuginfod cut.data
	[[ $stderr == *"cut off"* ]]
}

# With time by the square of the mappings it takes minutes.
@test "a process with 150,000 mappings of the builds takes no more than one with some" {
	"$tools/crowd" crowd 1 1 1 2 100 150000
	(
		ulimit -t 20
		"$perfstamp" diff --no-debuginfod --before build-id=00000000 \
			--after build-id=01000000 crowd >out
	)
	[ "$(grep -c ', 50 samples of 1 process,' out)" -eq 2 ]
}
