#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# push to PostgreSQL: each file once and in order, whoever is killed meanwhile; what cannot be sent,
# and what was removed before it was sent. The recordings are variants of the golden one, named as
# record --switch-output names files.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash and postgres.bash

setup_file() {
	load ../lib/recording.bash
	load ../lib/postgres.bash
	postgres__make
	postgres__start
}

teardown_file() {
	load ../lib/postgres.bash
	postgres__end
}

setup() {
	load ../lib/recording.bash
	load ../lib/pushed.bash
	load ../lib/postgres.bash
	postgres__database "push_$BATS_TEST_NUMBER"
	"$perfstamp" fleet -d "$database" setup >/dev/null
}

teardown() {
	recording__end
}

push() {
	"$perfstamp" push --state "$PWD/state" "${as_role:-$database}" "$@"
}

n_files() {
	sql 'SELECT count(*) FROM perfstamp.files'
}

has_files() {
	[ "$(n_files)" -eq "$1" ]
}

# What is there of N files that were each sent once.
has_all_once() {
	[ "$(sql 'SELECT count(*), count(DISTINCT host), (SELECT count(*) FROM perfstamp.sightings),
		(SELECT count(*) FROM perfstamp.runs), (SELECT count(*) FROM perfstamp.replacements)
		FROM perfstamp.files')" = "$1|$1|$((6 * $1))|$((6 * $1))|$1" ]
}

@test "the files of a series are sent once, oldest first; the one being written is not" {
	make_files 0 5
	cp "$root/tests/golden/recording.data" files/perf.data
	cp "$root/tests/golden/recording.data" files/perf.data.old
	run -0 push files
	[ "$output" = '5 files sent (30 sightings, 5 replacements)' ]
	has_all_once 5
	[ "$(sql "SELECT string_agg(right(name, 2), ' ' ORDER BY file) FROM perfstamp.files")" = '00 01 02 03 04' ]
	run -0 push files
	[ "$output" = '0 files sent, 5 there already' ]
	# One more, and by another state the database itself knows what it has.
	make_files 0 6
	run -0 push -v files
	[[ $output = *'20261125'*'05: sent'*'1 file sent (6 sightings, 1 replacement), 5 there already' ]]
	rm state
	run -0 push files
	[ "$output" = '0 files sent, 6 there already' ]
	has_all_once 6
}

@test "killed at random moments, what is there in the end is there once" {
	local round

	make_files 0 "${FILES:-30}"
	for ((round = 0; round < ${KILLS:-20}; round++)); do
		start "$perfstamp" push --state "$PWD/state" "$database" files >>push.out
		# No time is waited for: where in its work it is killed is up to chance.
		perl -e 'select undef, undef, undef, rand 0.12'
		kill -KILL "$pid" 2>/dev/null || true
		wait "$pid" || true
	done
	push files
	has_all_once "${FILES:-30}"
	# Some were killed in their work.
	[ "$(grep -c sent push.out)" -lt "${KILLS:-20}" ]
	[ "$(sql 'SELECT count(*) FROM perfstamp.hosts WHERE newest IS NULL')" -eq 0 ]
}

@test "a backlog is sent with one look at its directory a second, not one for each file" {
	local begin

	cat >count.c <<-'END'
		#include <dirent.h>
		#include <dlfcn.h>
		#include <stdio.h>
		#include <string.h>

		DIR *opendir(const char *name)
		{
			DIR *(*real)(const char *) = (DIR *(*)(const char *))dlsym(RTLD_NEXT, "opendir");
			FILE *looks = strcmp(name, "files") ? NULL : fopen("looks", "a");

			if (looks) {
				fputs("look\n", looks);
				fclose(looks);
			}
			return real(name);
		}
	END
	gcc -D_GNU_SOURCE -shared -fPIC -o count.so count.c -ldl
	make_files 0 30
	begin=$EPOCHSECONDS
	LD_PRELOAD=$PWD/count.so start "$perfstamp" push --follow --state state "$database" files
	await has_files 30
	kill "$pid"
	wait "$pid" || true
	[ -s looks ]
	echo "$(wc -l <looks) looks in $((EPOCHSECONDS - begin)) s"
	[ "$(wc -l <looks)" -le $((EPOCHSECONDS - begin + 2)) ]
}

# AWAY is for how many seconds, as in push-http.bats.
@test "a server that crashes and is away costs nothing but time" {
	local away=${AWAY:-0}

	make_files 0 12
	start "$perfstamp" push --follow --state state "$database" files 2>push.err
	await has_files 12
	postgres__stop immediate
	make_files 0 20
	await grep -q 'perfstamp tries again until it works' push.err
	[ "$away" -eq 0 ] || sleep "$away"
	postgres__start
	AWAIT_SECONDS=$((away ? 400 : 120)) await has_files 20
	make_files 0 22
	await has_files 22
	has_all_once 22
	# It was said once.
	[ "$(wc -l <push.err)" -eq 1 ]
}

@test "two that push the same, or to the same state, do no harm" {
	make_files 0 20
	"$perfstamp" push --state one "$database" files >one.out &
	"$perfstamp" push --state two "$database" files >two.out
	wait "$!"
	has_all_once 20
	[ "$(cat one.out two.out | sed -n 's/^\([0-9]*\) file.*/\1/p' | paste -s -d +  | bc)" -eq 20 ]
	start "$perfstamp" push --follow --state "$PWD/state" "$database" files
	await test -s state
	await has_files 20
	run -1 push files
	[[ $output = *'another perfstamp push uses it'* ]]
}

@test "what was removed before it was sent is counted and told" {
	make_files 0 4
	postgres__stop
	start "$perfstamp" push --follow --state state "$database" files 2>push.err
	await grep -q 'tries again' push.err
	rm files/*00 files/*01
	await grep -q '2 files were removed before they were sent' push.err
	postgres__start
	await has_files 2
	has_all_once 2
	grep -qx 'missed 2' state
}

@test "what was removed before it was sent is counted by one run only" {
	make_files 0 2
	postgres__stop
	run -1 push files
	rm files/*00
	run -1 push files
	grep -q '1 file was removed before it was sent' <<<"$output"
	run ! grep '00$' state
	run -1 push files
	run ! grep removed <<<"$output"
	postgres__start
	run -0 push files
	has_all_once 1
	grep -qx 'missed 1' state
}

# served REGEX: whether the metrics of the one that follows have such a line.
served() {
	curl -s --max-time 10 --unix-socket "$sockets/metrics" http://localhost/metrics >metrics && grep -qE "$1" metrics
}

@test "its metrics say what waits, what failed and what was sent, also while it waits" {
	# A unix socket's path is short.
	sockets=$(mktemp -d)
	make_files 0 3
	postgres__stop
	start "$perfstamp" push --follow --metrics-socket "$sockets/metrics" --state state "$database" files 2>push.err
	await served '^perfstamp_push_failures_total [1-9]'
	grep -qx 'perfstamp_push_waiting_files 3' metrics
	[ "$(sed -n 's/^perfstamp_push_oldest_waiting_seconds \([0-9]*\).*/\1/p' metrics)" = \
		"$(stat -c %Y files/*00)" ]
	rm files/*00
	postgres__start
	await served '^perfstamp_push_files_total\{result="sent"\} 2$'
	await served '^perfstamp_push_waiting_files 0$'
	grep -qx 'perfstamp_push_files_total{result="missed"} 1' metrics
	grep -qx 'perfstamp_push_rows_total 14' metrics
	grep -qx 'perfstamp_push_oldest_waiting_seconds 0' metrics
	grep -qE '^perfstamp_push_build_info\{version="[^"]+",receiver="postgresql"\} 1$' metrics
	grep -qE '^perfstamp_push_last_sent_seconds [1-9]' metrics
	[ "$(tail -n 1 metrics)" = '# EOF' ]
	run ! grep -vE '^(# (TYPE|UNIT|HELP) perfstamp_push_[a-z_]+ .+|perfstamp_push_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+|# EOF)$' metrics
	rm -rf "$sockets"
	run -2 "$perfstamp" push --metrics-socket x "$database" files
	[[ $output = *'--metrics-socket requires --follow'* ]]
}

@test "what is damaged or no recording does not keep others from being sent" {
	make_files 0 3
	head -c 1500 files/*00 >damaged
	mv damaged files/perf.data.2026112500000000
	echo 'no recording' >files/perf.data.2026112500000001
	run -1 push files
	[[ $output = *'00000001: not sent: '*'2 files sent'*', 1 not sent' ]] || [[ $output = *'2 files sent'* ]]
	[ "$(sql "SELECT name FROM perfstamp.files WHERE NOT complete")" = perf.data.2026112500000000 ]
	# It is not tried again, and not forgotten.
	run -0 push files
	[[ $output = '0 files sent, 2 there already' ]]
	grep -q '^refused .*00000001$' state
}

@test "a recording that is a directory has its name, also with a slash behind it" {
	mkdir recording
	cp "$root/tests/golden/recording.data" recording/data
	run -0 push recording//
	[ "$(sql "SELECT name FROM perfstamp.files")" = recording ]
}

@test "a file that is named must be complete" {
	head -c 1500 "$root/tests/golden/recording.data" >cut.data
	run -1 push cut.data
	[[ $output = *'cut.data: it is still being written, or its recorder was killed; --force'* ]]
	run -0 push --force cut.data
	[ "$(sql 'SELECT complete, clock_recorded FROM perfstamp.files')" = 'f|f' ]
	# Its times are those of the file.
	[ "$(sql "SELECT abs(extract(epoch FROM ends) - $(stat -c %Y cut.data)) < 2 FROM perfstamp.files")" = t ]
}

@test "what is wrong with the command line is said, and no secret with it" {
	run -2 "$perfstamp" push "$database"
	[[ $output = *'a URL, and a directory or file are required'* ]]
	run -2 "$perfstamp" push 'ftp://me:sesame@host/' .
	[[ $output != *sesame* ]]
	run -1 "$perfstamp" push --state state 'postgresql://me:sesame@host/x' .
	[[ $output = *'has a password'*PGPASSFILE* ]]
	[[ $output != *sesame* ]]
	run -1 push no-such-directory
	[[ $output = *'no-such-directory: No such file or directory'* ]]
	run -1 env -u HOME -u XDG_STATE_HOME "$perfstamp" push "$database" .
	[[ $output = *'--state'* ]]
}

@test "a password comes from a file, or from systemd's credential" {
	make_files 0 2
	sql "CREATE ROLE secret_$BATS_TEST_NUMBER SUPERUSER LOGIN PASSWORD 'sesame'"
	sed -i "1i local all secret_$BATS_TEST_NUMBER scram-sha-256" "$pg/data/pg_hba.conf"
	sql 'SELECT pg_reload_conf()' >/dev/null
	as_role=${database/user=fleet/user=secret_$BATS_TEST_NUMBER}
	run -1 push files
	[[ $output = *'no password supplied'* ]]
	echo "*:*:*:secret_$BATS_TEST_NUMBER:sesame" >pgpass
	chmod 600 pgpass
	PGPASSFILE=$PWD/pgpass push files
	rm state
	CREDENTIALS_DIRECTORY=$PWD push files
}
