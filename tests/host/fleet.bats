#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The database of a fleet, in a server of the test's own: it answers as list, replaced and check
# do on the files, and its questions are answered across hosts.
# shellcheck disable=SC2154 # the variables of tests/lib/recording.bash and postgres.bash

# At one path a build that still runs beside the one that replaced it, and a library of a name that
# nobody should use.
setup_file() {
	load ../lib/recording.bash
	load ../lib/postgres.bash
	cd "$BATS_FILE_TMPDIR" || exit
	odd=$(printf 'odd\tname\n\\x41\033[2J')
	cat >deploy <<-END
		cp "$tools/swapped-1" server && ./server 300
		cp "$tools/swapped-1" "$odd" && "./$odd" 10
	END
	record -q -F 999 -o first.data -- bash deploy
	cat >deploy <<-END
		# Until the shell's child is the server.
		runs() { until [ "\$(readlink "/proc/\$1/exe")" = "$PWD/server" ]; do :; done; }
		cp "$tools/swapped-1" server
		./server 100000 & echo \$! >pids
		runs \$!
		cp "$tools/swapped-2" next && mv next server
		./server 100000 & echo \$! >>pids
		runs \$!
		"$tools/worker" 300 >worker.out
	END
	# The recording ends with the script, while both builds still run.
	record -q -F 999 -o second.data -- bash deploy 3>&-
	xargs kill -KILL <pids
	postgres__make
	postgres__start
}

teardown_file() {
	load ../lib/postgres.bash
	postgres__end
}

setup() {
	load ../lib/recording.bash
	load ../lib/postgres.bash
	first=$BATS_FILE_TMPDIR/first.data second=$BATS_FILE_TMPDIR/second.data
	server=$BATS_FILE_TMPDIR/server
	postgres__database "fleet_$BATS_TEST_NUMBER"
	fleet setup >/dev/null
	id_1=$(build_id_of "$tools/swapped-1")
	id_2=$(build_id_of "$tools/swapped-2")
}

teardown() {
	recording__end
}

build_id_of() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

fleet() {
	"$perfstamp" fleet -d "$database" "$@"
}

# push OPTION... FILE: whatever was sent in other tests.
push() {
	"$perfstamp" push --state "$PWD/state" "$database" "$@"
}

# Whether the sums by content are those of the runs, and those by host are those of its files.
sums_are_right() {
	[ -z "$(sql "SELECT h.name FROM perfstamp.hosts h LEFT JOIN (SELECT host, count(*) AS files, sum(samples) AS samples,
			sum(lost_records + lost_samples) AS lost FROM perfstamp.files GROUP BY host) f USING (host)
		WHERE (h.files, h.samples, h.lost) IS DISTINCT FROM (coalesce(f.files, 0), coalesce(f.samples, 0), coalesce(f.lost, 0))")" ]
	[ "$(sql 'SELECT count(*) FROM perfstamp.uses')" -gt 0 ]
	[ -z "$(sql "SELECT * FROM (SELECT r.content, count(DISTINCT r.host) AS hosts, count(DISTINCT r.host)
			FILTER (WHERE r.alive AND r.file = h.newest) AS running,
			date_trunc('hour', max(r.last_seen)) AS last_seen
		FROM perfstamp.runs r JOIN perfstamp.hosts h USING (host) GROUP BY r.content) c
		FULL JOIN perfstamp.uses u USING (content) WHERE c.hosts IS DISTINCT FROM u.hosts
			OR c.running IS DISTINCT FROM u.running OR c.last_seen IS DISTINCT FROM u.last_seen")" ]
}

@test "how many hosts have and run a content is counted right, in whatever order files are sent" {
	local old=$PWD/old.data

	# It records no clock, so that its time is the file's: not that of the checkout, which may be today.
	cp "$root/tests/golden/recording.data" "$old"
	touch -d '2020-01-02 03:04:05 UTC' "$old"
	push --host one "$second"
	sums_are_right
	rm state
	# It ended before the other one: it changes what the host has had, and not what it runs.
	push --host one "$first" "$old"
	sums_are_right
	rm state
	push --host two "$old" "$first" "$second"
	sums_are_right
	[ "$(sql "SELECT hosts, running FROM perfstamp.uses JOIN perfstamp.contents USING (content)
		WHERE build_id = '\\x$id_2'")" = '2|2' ]
	# Nothing of the newest file runs any more.
	rm state
	record -q -o third.data -- "$tools/worker" 10 >worker.out
	push --host two third.data
	sums_are_right
	[ "$(sql "SELECT hosts, running FROM perfstamp.uses JOIN perfstamp.contents USING (content)
		WHERE build_id = '\\x$id_2'")" = '2|1' ]
	# What is old: the fixed recording, and nothing else.
	[ "$(sql "SELECT perfstamp.drop_before((SELECT min(ends)::date + 1 FROM perfstamp.files))")" -ge 2 ]
	sums_are_right
}

@test "the sightings are the lines of list" {
	local file

	for file in "$first" "$second" "$root/tests/golden/recording.data"; do
		push "$file"
		sql "SELECT encode(c.build_id, 'hex'), encode(c.cookie, 'hex'), c.reason, s.mappings,
				s.processes, s.samples, s.alive, s.kernel
			FROM perfstamp.sightings s JOIN perfstamp.contents c USING (content)
			WHERE s.file = (SELECT max(file) FROM perfstamp.files)" | LC_ALL=C sort >shown
		"$perfstamp" list --json "$file" | jq -r '[.build_id // "", .cookie // "", .reason // "",
			.mappings, .processes, .samples, (.alive | if . then "t" else "f" end),
			(.kernel | if . then "t" else "f" end)] | map(tostring) | join("|")' |
			LC_ALL=C sort >expected
		[ "$(wc -l <expected)" -ge 5 ]
		diff expected shown
		sql 'SELECT p.path FROM perfstamp.sightings s JOIN perfstamp.paths p USING (path_id)
			WHERE s.file = (SELECT max(file) FROM perfstamp.files)' | LC_ALL=C sort >shown
		"$perfstamp" list "$file" | sed -E 's/^[^ ]+ +//; s/ \([a-z-]+\)$//' | LC_ALL=C sort | diff - shown
	done
}

@test "a name with tab, newline, backslash and escape is one text" {
	push "$first"
	run -0 fleet running --all --path '*odd*name*'
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[1]} = *'/odd\tname\n\\x41\x1b[2J '* ]]
	fleet running --all --json --path '*odd*name*' | jq -e '.path | endswith("/odd\\tname\\n\\\\x41\\x1b[2J")'
}

@test "what is replaced is what replaced says" {
	push "$second"
	"$perfstamp" replaced --json -i "$second" >replaced.json || true
	jq -r '[.kind, .path, .old_build_id, .build_id, .processes] | join(" ")' replaced.json | sort >expected
	grep -q "^replaced $server $id_1 $id_2 1$" expected
	fleet replaced --json | jq -r '[.kind, .path, .old_build_id, .new_build_id, .processes] | join(" ")' |
		sort | diff expected -
	run -0 fleet replaced --path "$server" --build-id "$id_1"
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[1]} = *" replaced $id_1 $id_2 "* ]]
	# By the container, and by its image.
	sql "INSERT INTO perfstamp.places (key, label, runtime, id, name, image, namespace, pod, unit)
		VALUES ('', 'web', '', '', '', 'registry.example/web:1', '', '', '')"
	sql "UPDATE perfstamp.replacements SET places = ARRAY(SELECT place FROM perfstamp.places WHERE label = 'web')"
	for glob in 'w*' 'registry.example/*'; do
		run -0 fleet replaced --container "$glob" --path "$server"
		[ "${#lines[@]}" -eq 2 ]
	done
	run -0 fleet replaced --container nobody
	[ "${#lines[@]}" -eq 1 ]
	# A database that was made before has the column when setup was run again.
	sql 'DROP VIEW perfstamp.still_replaced'
	run -0 fleet setup
	[ "$output" = 'the tables exist already' ]
	run -0 fleet replaced --container web --path "$server"
	[ "${#lines[@]}" -eq 2 ]
	run -0 fleet replaced --build-id "$id_2"
	[ "${#lines[@]}" -eq 1 ]
}

@test "sums are those of check" {
	local file

	for file in "$second" "$root/tests/golden/recording.data"; do
		push "$file"
		"$perfstamp" check --json "$file" >check.json || true
		[ "$(sql 'SELECT maps, identified, cookies, samples, lost_records, lost_samples FROM perfstamp.files
			ORDER BY file DESC LIMIT 1')" = "$(jq -r '[.mappings, .mappings_build_id, .mappings_cookie,
			.samples, .lost_records, .lost_samples] | join("|")' check.json)" ]
	done
}

@test "modules are those of list, and losses those of check, of a made week" {
	"$tools/week" week.data
	push --host week week.data
	push --host other "$second"
	"$perfstamp" list --modules --json week.data |
		jq -r '[.module, .path, .build_id, .state, .inferred] | map(tostring) | join(" ")' | sort >expected
	[ "$(wc -l <expected)" -ge 50 ]
	fleet modules --host week --json |
		jq -r '[.module, .path, .build_id, .state, .inferred] | map(tostring) | join(" ")' | sort | diff expected -
	fleet modules --json --path /lib/modules/6.12/extra/steady_0.ko | jq -e -s 'map(.host + " " + .module) == ["week steady_0"]'
	[ "$(fleet modules --json --host week --path '*/steady_?.ko' | wc -l)" -eq "$(grep -c '^steady_[0-9] ' expected)" ]
	[ "$(fleet losses --json --host week | jq -s 'map(.lost) | add')" -eq \
		"$("$perfstamp" check --json week.data | jq '.lost_records + .lost_samples')" ]
	fleet losses --json --host week | jq -e -s 'length > 0 and all(.[]; .cause == "ring-full" and .begins < .ends)'
}

@test "times are those of the recording, by the wall clock" {

	push "$second"
	first_ns=$("$perfstamp" list --json "$second" | jq "select(.build_id == \"$id_2\") | .first_ns")
	shown_s=$(sql "SELECT extract(epoch FROM first_seen)::bigint FROM perfstamp.running WHERE build_id = '$id_2'")
	[ "$first_ns" -gt 0 ]
	# It was started while the file was recorded.
	[ "$shown_s" -le "$(stat -c %Y "$second")" ]
	[ "$shown_s" -ge "$(($(stat -c %Y "$first") - 1))" ]
	[ "$(sql 'SELECT bool_and(clock_recorded AND begins <= ends) FROM perfstamp.files')" = t ]
}

@test "a recording of a process that sleeps has the time of its end" {
	start sleep 1000
	record -q -o data -p "$pid" -- true
	push data
	# Not that of the boot, which is 0 by the clock of the recording.
	[ "$(sql "SELECT abs(extract(epoch FROM ends) - $(stat -c %Y data)) < 60 FROM perfstamp.files")" = t ]
	[ "$(sql "SELECT bool_and(last_seen > (SELECT ends FROM perfstamp.files) - interval '1 minute') FROM perfstamp.runs")" = t ]
	[ "$(fleet running --json --path "$(readlink -f "$(command -v sleep)")" | wc -l)" -eq 1 ]
}

@test "a file is known by its host, its boot and its content" {
	push "$second"
	[ "$(sql 'SELECT boot FROM perfstamp.files')" = "$(cat /proc/sys/kernel/random/boot_id)" ]
	rm state
	run -0 push "$second"
	[ "$output" = '0 files sent, 1 there already' ]
	rm state
	push --host other "$second"
	[ "$(sql 'SELECT count(*) FROM perfstamp.files')" -eq 2 ]
}

@test "three hosts deploy one after another: who runs which, at each moment" {
	local host

	for host in web-1 web-2 web-3; do push --host "$host" "$root/tests/golden/recording.data" && rm state; done
	for host in web-1 web-2 web-3; do
		# The first build ended when its recording did; the second one still has both.
		push --host "$host" "$second"
		rm state
		run -0 fleet running --path "$server" --host "$host"
		[ "${#lines[@]}" -eq 3 ]
		[ "$(fleet running --json --path "$server" | jq -r .host | sort | uniq -c | wc -l)" -eq "${host#web-}" ]
		fleet replaced --json --path "$server" | jq -e -s "length == ${host#web-}"
	done
	# By build, by the container or unit, and what ran before.
	[ "$(fleet running --json --build-id "$id_2" | jq -r .host | xargs)" = "web-1 web-2 web-3" ]
	[ "$(fleet running --json --build-id "${id_2:0:8}" --host '*-2' | jq -r .host)" = web-2 ]
	run -0 fleet running --json --container 'server.ser*' --path /srv/server --host web-1
	[ -z "$output" ]
	run -0 fleet running --all --json --container 'server.ser*' --path /srv/server --host web-1
	[ "$(jq -r '.build_id + " " + (.running | tostring)' <<<"$output")" = "$(printf '%s false\n' \
		"$(printf 'a%.0s' {1..40})" "$(printf 'b%.0s' {1..40})")" ]
	# A host that comes back to the older build: it is what it runs then.
	[ "$(fleet hosts --json | jq -s 'map(.files) == [2, 2, 2]')" = true ]
}

# make_host NAME: namespaces with that name, processes, network and /srv of their own.
make_host() {
	start unshare -u -m -n -p -f --kill-child --mount-proc sleep 1000
	await has_child "$pid"
	hosts[$1]=$(pgrep -P "$pid")
	# shellcheck disable=SC2016 # of the other shell
	host "$1" sh -c 'hostname "$0" && mount -t tmpfs none /srv' "$1"
}

# Whether the first process of the namespaces has begun.
has_child() {
	[ "$(cat "/proc/$(pgrep -P "$1")/comm")" = sleep ]
}

# host NAME COMMAND...: on it; with its root, which is not that of the mount namespace in a chroot.
host() {
	nsenter -t "${hosts[$1]}" -u -m -n -p -r -- "${@:2}"
}

# deploy HOST BUILD: the server's file is replaced, and it is started again.
deploy() {
	# shellcheck disable=SC2016 # of the other shell
	host "$1" sh -c '[ ! -e /srv/pid ] || kill -KILL "$(cat /srv/pid)"
		cp "$0" /srv/next && mv /srv/next /srv/server
		/srv/server 100000 >/dev/null 3>&- & echo $! >/srv/pid' "$tools/$2"
	await runs_server "$1"
}

# shellcheck disable=SC2016 # of the other shell
runs_server() {
	host "$1" sh -c '[ "$(readlink "/proc/$(cat /srv/pid)/exe")" = /srv/server ]'
}

# look: each host records what it runs, and pushes it.
look() {
	local name

	for name in web-1 web-2 web-3; do
		# shellcheck disable=SC2016 # of the other shell
		host "$name" sh -c '"$0" record -q -e cpu-clock -o "$1" -p "$(cat /srv/pid)" -- true &&
			"$0" push --state "$1.state.$3" "$2" "$1"' "$perfstamp" "$PWD/$name.data" "$database" "$1"
	done
}

# is_running BUILD HOST...
is_running() {
	[ "$(fleet running --json --path /srv/server --build-id "$1" | jq -r .host | sort | xargs)" = "${*:2}" ]
}

@test "three hosts in namespaces deploy one after another, and what fleet shows is what runs" {
	declare -A hosts
	local name

	for name in web-1 web-2 web-3; do
		make_host "$name"
		deploy "$name" swapped-1
	done
	look 1
	is_running "$id_1" web-1 web-2 web-3
	is_running "$id_2"
	deploy web-2 swapped-2
	look 2
	is_running "$id_1" web-1 web-3
	is_running "$id_2" web-2
	deploy web-1 swapped-2
	deploy web-3 swapped-2
	# And one goes back.
	deploy web-2 swapped-1
	look 3
	is_running "$id_1" web-2
	is_running "$id_2" web-1 web-3
	[ "$(fleet running --all --json --path /srv/server | wc -l)" -eq 6 ]
	[ "$(fleet hosts --json | jq -c '[.host, .files]' | xargs)" = '[web-1,3] [web-2,3] [web-3,3]' ]
	sums_are_right
}

@test "builds that no host has files of, and one build-id of several contents" {
	"$perfstamp" cache --buildid-dir store add "$tools/swapped-1" >/dev/null
	# Probes are no symbols, and what is stripped is another content.
	"$perfstamp" cache --buildid-dir store probe add "$tools/swapped-2" main >/dev/null
	push --buildid-dir store "$second"
	run -0 fleet without-symbols --all --path "$server"
	[[ ${lines[1]} = "$id_2 "* ]]
	rm state
	strip -o stripped "$tools/swapped-2"
	"$perfstamp" cache --buildid-dir store add stripped >/dev/null
	push --host another --buildid-dir store "$second"
	run -0 fleet without-symbols --all --path "$server"
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[1]} = "$id_2 "* ]]
	# Another host has it, and then nobody lacks it any more.
	"$perfstamp" cache --buildid-dir store add "$tools/swapped-2" >/dev/null
	rm state
	push --host other --buildid-dir store "$second"
	run -0 fleet without-symbols --all --path "$server"
	[ "${#lines[@]}" -eq 1 ]
	run -0 fleet shared --all
	[ "${#lines[@]}" -eq 1 ]
	sql "INSERT INTO perfstamp.contents (build_id, cookie, reason) VALUES ('\\xabcd', '\\x01aa', ''), ('\\xabcd', '\\x01bb', '')"
	sql "UPDATE perfstamp.runs SET content = (SELECT content FROM perfstamp.contents WHERE cookie = '\\x01aa')
		WHERE content = (SELECT content FROM perfstamp.contents WHERE build_id = '\\x$id_1' LIMIT 1)"
	fleet shared --all --json | jq -e 'select(.build_id == "abcd") | .contents == 2 and .cookie == "01aa"'
}

# make_noted FILE [OPTION...]: a program with package metadata of its own.
make_noted() {
	cat >noted.s <<-'END'
		.section .note.package,"a",@note
		.align 4
		.long 4, end - text, 0xcafe1a7e
		.asciz "FDO"
		text: .asciz "{\"type\":\"deb\",\"os\":\"debian\",\"name\":\"noted\",\"version\":\"1:2.0+x\",\"architecture\":\"amd64\"}"
		end: .align 4
		.section .note.GNU-stack,"",@progbits
	END
	echo 'int main(void) { for (volatile int i = 0; i < 100000000; i++) { } return STATUS; }' >noted.c
	gcc -DSTATUS=0 -o "$@" noted.c noted.s
}

# One package per line: kind, name, version, architecture and path.
packages() {
	fleet packages --all --json "$@" | jq -r '[.kind, .package, .version, .architecture, .path] | join(" ")'
}

@test "packages: what dpkg says of paths that still have the content, and metadata in the content" {
	local paths path package

	make_noted noted
	make_noted gone -USTATUS -DSTATUS=1
	cp /bin/true copied
	record -q -o data -- sh -c './noted; ./gone; ./copied; ls / >ls.out'
	cp /bin/false new && mv new gone
	push data
	packages | sort >shown
	grep -qx "note noted 1:2.0+x amd64 $PWD/noted" shown
	# Its file has another content now, and no package owns a copy.
	run ! grep -e /gone -e /copied shown
	# dpkg itself agrees.
	mapfile -t paths < <(sed -n 's/^dpkg .* //p' shown)
	[ "${#paths[@]}" -ge 3 ]
	for path in "${paths[@]}"; do
		package=$(dpkg-query -S "$path" "${path#/usr}" 2>/dev/null | sed -n 's/: .*//p' | head -n 1)
		grep -qx "dpkg $(dpkg-query -W -f '${Package} ${Version} ${Architecture}' "$package") $path" shown
		[ "$(fleet packages --all --json --path "$path" | jq -r '.source + " " + .source_version')" = \
			"$(dpkg-query -W -f '${source:Package} ${source:Version}' "$package")" ]
	done
	# What is no longer at its path is found in the cache.
	"$perfstamp" cache --buildid-dir store add noted >/dev/null
	rm noted state
	push --host other --buildid-dir store data
	[ "$(packages --host other --package noted)" = "note noted 1:2.0+x amd64 $PWD/noted" ]
	[ -z "$(packages --package noted --host third)" ]
	[ "$(sql "SELECT count(*) FROM perfstamp.packages WHERE name = 'noted'")" -eq 1 ]
}

@test "packages: a rebuild has a version of its own, and its source another one" {
	cp "$tools/worker" owned
	record -q -o data -- ./owned 10 >worker.out
	mkdir -p dpkg/info
	printf '%s\n' 'Package: owned' 'Status: install ok installed' 'Architecture: amd64' 'Source: owner (1.2-3)' \
		'Version: 1.2-3+b1' '' 'Package: other' 'Architecture: all' 'Version: 1' >dpkg/status
	echo "$PWD/owned" >dpkg/info/owned.list
	# shellcheck disable=SC2016 # of the other shell
	unshare -m sh -c 'mount --bind "$0" /var/lib/dpkg && "$@"' "$PWD/dpkg" \
		"$perfstamp" push --state "$PWD/state" "$database" data
	[ "$(fleet packages --all --json | jq -r '[.package, .version, .source, .source_version] | join(" ")')" = \
		'owned 1.2-3+b1 owner 1.2-3' ]
	[ "$(fleet sbom --all | jq -r '.components[] | select(.name == "owned").properties[] |
		select(.name | startswith("perfstamp:source")).value' | xargs)" = 'owner 1.2-3' ]
}

@test "packages: a file system that never answers does not keep a recording from being sent" {
	[ -e /dev/fuse ] || skip "there is no FUSE"
	mkdir mount
	cp "$tools/worker" mount/worker
	record -q -o data -- sh -c 'mount/worker 10 >worker.out; ls / >ls.out'
	exec {fuse}<>/dev/fuse
	mount -i -t fuse -o "fd=$fuse,rootmode=40000,user_id=0,group_id=0" silent mount
	run -0 push data
	umount -l mount
	exec {fuse}<&-
	[[ $output = *"warning: $PWD/mount/worker: does not answer"*'1 file sent'* ]]
	[ "$(grep -c warning <<<"$output")" -eq 1 ]
	[ "$(sql "SELECT count(*) FROM perfstamp.running WHERE path = '$PWD/mount/worker'")" -eq 1 ]
	# The others have theirs.
	[ "$(packages | grep -c ^dpkg)" -ge 1 ]
}

@test "packages: what rpm says where there is no dpkg" {
	cp "$tools/worker" owned
	cat >owned.spec <<-END
		Name: owned
		Version: 3.0
		Release: 1
		Epoch: 2
		Summary: A program
		License: GPL
		%description
		A program.
		%install
		install -D $PWD/owned %{buildroot}$PWD/owned
		%files
		$PWD/owned
	END
	export HOME=$PWD/home
	rpmbuild -bb --define "_topdir $PWD/build" --define '_build_id_links none' --define 'debug_package %{nil}' \
		--define '__os_install_post %{nil}' owned.spec >rpmbuild.log 2>&1
	rpm --initdb
	rpm -i --justdb --nodeps build/RPMS/*/*.rpm
	record -q -o data -- ./owned 10 >worker.out
	# shellcheck disable=SC2016 # of the other shell
	unshare -m sh -c 'mount -t tmpfs none /var/lib/dpkg && "$@"' sh \
		"$perfstamp" push --state "$PWD/state" "$database" data
	[ "$(packages)" = "rpm owned 2:3.0-1 $(uname -m) $PWD/owned" ]
	[ "$(fleet packages --all --json | jq -r '.source + " " + .source_version')" = 'owned 3.0-1' ]
	[ "$(fleet sbom --all | jq -r '.components[] | select(.name == "owned").purl | sub("rpm/[^/]+"; "rpm")')" = \
		"pkg:rpm/owned@3.0-1?arch=$(uname -m)&epoch=2" ]
}

@test "sbom: CycloneDX with what was seen, where and when, as evidence" {
	make_noted noted
	record -q -o data -- sh -c './noted; ls / >ls.out'
	push --host web-1 data
	rm state
	push --host web-2 data
	fleet sbom --all >bom.json
	jq -e '.bomFormat == "CycloneDX" and .specVersion == "1.6" and .version == 1 and
		(.serialNumber | test("^urn:uuid:[0-9a-f-]{36}$")) and (.metadata.timestamp | test("^2[0-9T:-]+Z$")) and
		(.metadata.properties[0].value | contains("no proof"))' bom.json
	# Each is once, with all its places.
	jq -e '[.components[]["bom-ref"]] | length == (unique | length)' bom.json
	jq -e '[.components[] | select(.purl).purl] | length == (unique | length)' bom.json
	jq '.components[] | select(.name == "noted")' bom.json >noted.json
	[ "$(jq -r '.purl, .type' noted.json | xargs)" = 'pkg:deb/debian/noted@1%3A2.0%2Bx?arch=amd64 library' ]
	[ "$(jq -r '.evidence.occurrences[].location' noted.json | sort -u)" = "$PWD/noted" ]
	[ "$(jq -r '.evidence.occurrences[].additionalContext' noted.json | sed 's/;.*//' | xargs)" = 'host web-1 host web-2' ]
	[ "$(jq -r '.properties[] | select(.name == "perfstamp:first-seen").value' noted.json)" = \
		"$(fleet running --all --json --path "$PWD/noted" --host web-1 | jq -r '.first_seen[:19] + "Z"')" ]
	# Of no package: a file. Nothing that is none.
	run ! jq -e '.components[] | select(.name | startswith("[") or startswith("//"))' bom.json
	[ "$(fleet sbom --all --host web-2 --package noted | jq '[.components[].evidence.occurrences[]] | length')" -eq 1 ]
	push --host web-3 "$second"
	fleet sbom --host web-3 --path "$server" | jq -e '[.components[] | select(.type == "file" and (.purl | not))] | length == 2'
}

# The questions of a dashboard, a line each, as Grafana asks them for the path $2.
questions() {
	jq -r '.panels[].targets[] | select(.rawSql).rawSql' "$1" | sed -E "s/[\$]__timeFilter\(([a-z.]+)\)/\1 > '2000-01-01'/g
		s/[\$]__time(From|To)\(\)/now()/g; s|[\$]\{path:sqlstring\}|'$2'|g"
}

@test "the dashboards: each question is answered, and each metric is one that there is" {
	local board question n=0

	push "$second"
	for board in "$root"/docs/grafana-*.json; do
		jq -e '.schemaVersion > 30 and ([.panels[].id] | length == (unique | length)) and
			([.panels[].targets[] | .rawSql // .expr] | all)' "$board"
		while IFS= read -r question; do
			n=$((n + 1))
			sql "$question" >"answer.$n"
		done < <(questions "$board" "$server")
	done
	[ "$n" -ge 18 ]
	# Two builds of the server are shown, and the one that was replaced.
	[ "$(cat answer.* | grep -c "^$id_2|")" -ge 1 ]
	grep -q "|$server|replaced|$id_1|$id_2|" answer.*
	record -q --metrics-file metrics -o data -- true
	jq -r '.panels[].targets[].expr // empty' "$root"/docs/grafana-*.json | grep -o 'perfstamp_[a-z_]*' | sort -u >names
	[ "$(wc -l <names)" -ge 8 ]
	while IFS= read -r name; do
		grep -qE "^$name( |\{)" metrics || grep -q "\b$name\b" "$root"/docs/man/*.1 || { echo "no metric: $name" && false; }
	done <names
}

@test "a partition a day, and what is older than a day is dropped" {
	push "$root/tests/golden/recording.data" "$second"
	[ "$(sql "SELECT count(*) FROM pg_inherits WHERE inhparent = 'perfstamp.sightings'::regclass")" -ge 1 ]
	[ "$(sql 'SELECT perfstamp.drop_before(current_date + 400)')" -eq 2 ]
	[ "$(sql 'SELECT count(*) FROM perfstamp.sightings')" -eq 0 ]
	run -0 fleet running --all
	[ "${#lines[@]}" -eq 1 ]
	# It can be filled again.
	rm state
	push "$second"
	[ "$(fleet running --json --path "$server" | wc -l)" -eq 2 ]
}

@test "who may only push needs no rights of the owner" {
	sql "CREATE ROLE pusher_$BATS_TEST_NUMBER LOGIN; GRANT USAGE ON SCHEMA perfstamp TO pusher_$BATS_TEST_NUMBER;
		GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA perfstamp TO pusher_$BATS_TEST_NUMBER"
	database=${database/user=fleet/user=pusher_$BATS_TEST_NUMBER} push "$second"
	[ "$(fleet running --json --path "$server" | wc -l)" -eq 2 ]
}

@test "what is wrong is said, and no secret with it" {
	run -2 fleet
	[[ $output = *'a query is required'* ]]
	run -2 fleet runing
	[[ $output = *"unknown query \`runing'"* ]]
	run -2 fleet hosts --build-id ab
	[[ $output = *'hosts has not all of these options'* ]]
	run -2 env -u PERFSTAMP_DATABASE "$perfstamp" fleet hosts
	[[ $output = *'a database is required'* ]]
	run -1 "$perfstamp" fleet -d 'postgresql://me:sesame@localhost/x' hosts
	[[ $output = *'has a password'*PGPASSFILE* ]]
	[[ $output != *sesame* ]]
	run -1 "$perfstamp" fleet -d 'postgresql://me@[sesame/x?password' hosts
	[[ $output != *sesame* ]]
	run -1 "$perfstamp" fleet -d "postgresql:///postgres?host=$BATS_TEST_TMPDIR&user=fleet" hosts
	[[ $output = *'database: connection to server on socket'* ]]
	run -1 "$perfstamp" fleet -d "${database/fleet_$BATS_TEST_NUMBER/template1}" hosts
	[[ $output = *'has no tables of perfstamp'*'fleet setup'* ]]
	sql 'UPDATE perfstamp.version SET version = 99'
	run -1 fleet hosts
	[[ $output = *'are of version 99'* ]]
	run -1 push "$second"
	[[ $output = *'are of version 99'* ]]
}
