#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What one container may cost another one in user space: processes that read identities, and their
# turns; what is captured. tests/guest/fairness.bats has the kernel side.
# shellcheck disable=SC2154,SC2030,SC2031 # the variables of tests/lib/recording.bash

setup() {
	load ../lib/recording.bash
	servers=()
	hierarchy=$(findmnt -n -t cgroup2 -o TARGET | head -n 1)
	[ -n "$hierarchy" ] || skip "cgroup2 is not mounted"
	mine=$hierarchy/perfstamp-fairness.$BASHPID
	mkdir "$mine"
	mkdir "$mine/flood.service" "$mine/flood.service/below" "$mine/quiet.service" "$mine/calm.service"
	mkfifo hold
	exec 9<>hold
}

teardown() {
	local server

	# Before the processes that wait for them, which could not be ended otherwise.
	for server in "${servers[@]}"; do
		kill -USR2 "$server"
		kill -TERM "$server"
	done
	exec 9>&-
	recording__end
	if [ -d store ]; then umount --lazy store; fi
	[ -z "$mine" ] || await remove_cgroups
}

remove_cgroups() {
	rmdir "$mine/flood.service/below" "$mine"/*.service "$mine" 2>/dev/null
	[ ! -d "$mine" ]
}

# start_in CGROUP COMMAND...: its input is the fifo.
start_in() {
	# shellcheck disable=SC2016 # for that shell
	start bash -c 'echo $$ >"$0/cgroup.procs"; exec "$@" <hold 9<&-' "$mine/$1" "${@:2}"
}

# How many reading processes of the recorder $recorder wait for a server.
n_waiting() {
	local reader n=0

	for reader in $(pgrep -P "$recorder" -x perfstamp-read); do
		if grep -q request_wait "/proc/$reader/wchan"; then n=$((n + 1)); fi
	done
	[ "$n" -ge "$1" ]
}

is_silent() {
	grep -q silent "server.$1"
}

is_completed() {
	has_record data ".type == \"MMAP2\" and (.path | endswith(\"/$1\")) and .source == \"user\""
}

# make_libraries PREFIX N: N files to be mapped, each of another content, of some 20 KB.
make_libraries() {
	local i id specs=()

	for ((i = 0; i < $2; i++)); do
		printf -v id "$1"'%06x' "$i"{,,,,}
		specs+=(plain "${id:0:40}" "$PWD/$1.$i")
	done
	"$tools/elf_gen" "${specs[@]}"
	head -c 16K /dev/zero | tee -a "$1".* >/dev/null
	touch -d '1 hour ago' "$1".*
}

# map_in CGROUP FILE...: as a process of that cgroup; returns when all are mapped.
map_in() {
	start_in "$1" "$tools/mapper" "${@:2}" >"mapper.$BASHPID"
	await grep -q ready "mapper.$BASHPID"
}

# is_kept FILE: whether the store has its content.
is_kept() {
	[ -n "$(find "$store" -path "*$PWD/$1/*/elf")" ]
}

# Numbers of owners are random: of two, one has another number than the flood.
one_is() {
	"$@" "$one" || "$@" "$other"
}

# Whether the process that copies has opened N files and waits to copy them; its pid is in $copier.
has_open() {
	copier=$(pgrep -P "$recorder" -x perfstamp-copy)
	[ "$(find "/proc/$copier/fd" -lname '*/f0.*' | wc -l)" -ge "$1" ]
}

# Records what the test maps, with these options; more is mapped as long as nothing is written to
# the fifo go.
start_capture() {
	store=$PWD/store
	mkdir store
	# What is put there is synced, which takes long on a busy disk.
	mount -t tmpfs tmpfs store
	start_recording --buildid-dir "$store" --capture "$@" -p "$BASHPID" 2>record.err
}

@test "a container with new files without end removes no captured file of another one" {
	local recorder kept
	make_libraries a0 2
	make_libraries f0 80
	start_capture --capture-max 1M
	recorder=$pid
	# The second is of both, and so of neither alone.
	map_in flood.service mmap:"$PWD/a0.1"
	await is_kept a0.1
	map_in quiet.service mmap:"$PWD"/a0.0 mmap:"$PWD"/a0.1
	# shellcheck disable=SC2046 # several
	map_in flood.service/below $(printf 'mmap:%s ' "$PWD"/f0.*)
	pid=$recorder
	stop_recording INT
	[ "$status" -eq 0 ]
	cat record.err
	grep -q ' [1-9][0-9]* older ones removed' record.err
	is_kept a0.0
	is_kept a0.1
	# Each counts 36 KB; copies that run at the same time do not know of one another.
	kept=$(find "$store" -path '*/f0.*/elf' | wc -l)
	[ "$kept" -le 36 ]
	[ "$kept" -ge 5 ]
}

@test "a container with new files without end keeps those of another one waiting for a turn at most" {
	local recorder copier one=a0.0 other=a0.1
	make_libraries a0 2
	make_libraries f0 400
	# One a second: all of the flood would take minutes.
	start_capture --capture-rate 20K
	recorder=$pid
	# shellcheck disable=SC2046 # several
	map_in flood.service $(printf 'mmap:%s ' "$PWD"/f0.*)
	# As many as one owner may have.
	await has_open 250
	map_in quiet.service "mmap:$PWD/a0.0"
	map_in calm.service "mmap:$PWD/a0.1"
	await one_is is_kept
	# What it has not opened yet is no sign that it hangs.
	[ "$(pgrep -P "$recorder" -x perfstamp-copy)" = "$copier" ]
	[ "$(find "$store" -path '*/f0.*/elf' | wc -l)" -lt 200 ]
	pid=$recorder
	stop_recording INT
	[ "$status" -eq 0 ]
}

@test "servers of one container that do not answer leave a reader to another container" {
	local i mappers=() recorder n=6 one=another other=one-more

	for ((i = 1; i <= n; i++)); do
		mkdir "mounted.$i"
		start "$tools/silent_fs" "mounted.$i" "$tools/libswapped-1.so" >"server.$i"
		servers+=("$pid")
		await grep -q ready "server.$i"
		# In two cgroups of the one container.
		if ((i % 2)); then where=flood.service; else where=flood.service/below; fi
		start_in "$where" "$tools/mapper" "mmap:$PWD/mounted.$i/file" >"mapper.$i"
		await grep -q ready "mapper.$i"
		mappers+=("$(awk '{ print $2 }' "mapper.$i")")
		kill -USR1 "${servers[-1]}"
		await is_silent "$i"
	done
	start_recording -p "$(IFS=, && echo "${mappers[*]}"),$BASHPID"
	recorder=$pid
	# Half of the readers: the flood gets no more.
	await n_waiting 4
	"$tools/elf_gen" other-endian 0a0b0c0d0e0f another other-endian 0a0b0c0d0e10 one-more
	await is_no_longer_young one-more
	map_in quiet.service "mmap:$PWD/another"
	map_in calm.service "mmap:$PWD/one-more"
	await one_is is_completed
	run ! n_waiting 5
	pid=$recorder
	stop_recording INT
	[ "$status" -eq 0 ]
}
