# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# A PostgreSQL server of a test's own, in a directory of its own and on a unix socket there, by
# another user than root, since it refuses to run as root.

# What is put first when the server's programs run.
as_postgres=()
[ "$(id -u)" -ne 0 ] || as_postgres=(setpriv --reuid postgres --regid postgres --clear-groups --)

# The newest that is installed.
postgres_bin() {
	find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin | sort -V | tail -n 1
}

# postgres__make: a new cluster, in a directory that its user can reach: it is in $pg.
postgres__make() {
	pg=$(mktemp -d "${TMPDIR:-/tmp}/perfstamp-pg.XXXXXX")
	export pg
	[ "$(id -u)" -ne 0 ] || chown postgres "$pg"
	chmod 755 "$pg"
	(cd / && "${as_postgres[@]}" "$(postgres_bin)/initdb" -D "$pg/data" -A trust -U fleet -E UTF8 \
		--no-locale --no-sync >"$pg.log" 2>&1) || cat "$pg.log"
	rm -f "$pg.log"
}

# postgres__start [SETTING...]: the server of $pg, with its socket there.
postgres__start() {
	local settings=() one

	for one in "$@"; do settings+=(-c "$one"); done
	(cd / && "${as_postgres[@]}" "$(postgres_bin)/pg_ctl" -D "$pg/data" -l "$pg/log" -w -s \
		-o "-k $pg -c listen_addresses='' ${settings[*]}" start 3>&- 4>&- 5>&- 6>&-)
}

# postgres__stop [MODE]: by MODE, fast if none is given; immediate is as a crash.
postgres__stop() {
	[ ! -e "$pg/data/postmaster.pid" ] ||
		(cd / && "${as_postgres[@]}" "$(postgres_bin)/pg_ctl" -D "$pg/data" -m "${1-fast}" -w -s stop)
}

# postgres__end: stops the server and removes what it wrote.
postgres__end() {
	postgres__stop immediate
	rm -rf "$pg"
}

# postgres__database NAME: a new one; its URL is in $database.
postgres__database() {
	database="postgresql:///postgres?host=$pg&user=fleet"
	sql "CREATE DATABASE $1"
	database="postgresql:///$1?host=$pg&user=fleet"
}

# sql QUERY: its rows, columns separated by |.
sql() {
	psql -X -q -A -t -d "$database" -c "$1"
}
