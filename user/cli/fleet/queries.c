// SPDX-License-Identifier: GPL-2.0-only
/* See queries.h. */
#include "user/cli/fleet/queries.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"

/* Times in text columns, for people. */
#define TIME(column) "to_char(" column " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')"
#define IDENTITY(build_id, cookie, otherwise)                                                      \
	"CASE WHEN " build_id " <> '' THEN " build_id " WHEN " cookie                              \
	" <> '' THEN 'cookie:' || " cookie " ELSE " otherwise " END"
#define LIST(column) "array_to_string(" column ", ', ')"

static const struct fleet_query QUERIES[] = {
	{
		.name = "running",
		.filters = FILTER_PATH | FILTER_BUILD_ID | FILTER_HOST | FILTER_CONTAINER |
			   FILTER_ALL,
		.headings = {"HOST", "IDENTITY", "PATH", "STATE", "SINCE", "LAST", "PROCESSES",
			"IN"},
		.columns = "host, " IDENTITY("build_id", "cookie",
			"'(' || reason || ')'") ", path, CASE WHEN running THEN 'running' ELSE "
						"'ended' END, CASE WHEN earlier THEN 'before ' "
						"ELSE '' END || " TIME("first_seen") ", " TIME(
							"last_seen") ", processes::text, " LIST("pl"
												"ac"
												"e"
												"s"),
		.json = "host, path, nullif(build_id, '') AS build_id, nullif(cookie, '') AS "
			"cookie, "
			"nullif(reason, '') AS reason, running, first_seen, earlier, last_seen, "
			"processes, places, images, kernel, as_of",
		.from = "FROM perfstamp.running WHERE true",
		.now = "running",
		.order = "path, first_seen, host, content",
	},
	{
		.name = "packages",
		.filters = FILTER_PATH | FILTER_BUILD_ID | FILTER_HOST | FILTER_CONTAINER |
			   FILTER_ALL | FILTER_PACKAGE,
		.headings = {"HOST", "PACKAGE", "VERSION", "BY", "STATE", "SINCE", "LAST", "PATH",
			"IN"},
		.columns = "host, package, version, kind, CASE WHEN running THEN 'running' ELSE "
			   "'ended' END, CASE WHEN earlier THEN 'before ' ELSE '' END || " TIME(
				   "first_seen") ", " TIME("last_seen") ", path, " LIST("places"),
		.json = "host, package, version, nullif(architecture, '') AS architecture, "
			"nullif(source, '') AS source, nullif(source_version, '') AS "
			"source_version, nullif(os, '') AS os, kind, path, "
			"nullif(build_id, '') AS build_id, nullif(cookie, '') AS cookie, running, "
			"first_seen, earlier, last_seen, processes, places, images, as_of",
		.from = "FROM perfstamp.packaged WHERE true",
		.now = "running",
		.order = "package, version, host, path, first_seen, kind",
	},
	{
		/* sbom.c formats the rows of this query. */
		.name = "sbom",
		.filters = FILTER_PATH | FILTER_BUILD_ID | FILTER_HOST | FILTER_CONTAINER |
			   FILTER_ALL | FILTER_PACKAGE,
		.headings = {"KIND", "OS", "PACKAGE", "VERSION", "ARCHITECTURE", "SOURCE",
			"SOURCE-VERSION", "BUILD-ID", "COOKIE", "PATH", "HOST", "FIRST", "LAST",
			"RUNNING", "IN"},
		.columns =
			"kind, os, package, version, architecture, source, source_version, "
			"build_id, cookie, "
			"path, host, CASE WHEN earlier THEN 'before ' ELSE '' END || " TIME(
				"first_seen") ", " TIME("last_seen") ", running::text, " LIST("plac"
											      "es"),
		.from = "FROM perfstamp.components WHERE true",
		.now = "running",
		.order = "package, version, kind, os, architecture, build_id, cookie, path, host",
	},
	{
		.name = "replaced",
		.filters = FILTER_PATH | FILTER_BUILD_ID | FILTER_HOST | FILTER_CONTAINER,
		.headings = {"HOST", "PATH", "KIND", "RUNS", "NOW", "SINCE", "PROCESSES", "IN"},
		.columns = "host, path, kind, " IDENTITY("old_build_id", "old_cookie",
			"'unknown'") ", " IDENTITY("new_build_id", "new_cookie",
			"NULL") ", " TIME("since") ", processes::text, " LIST("places"),
		.json = "host, path, kind, nullif(old_build_id, '') AS old_build_id, "
			"nullif(old_cookie, '') AS old_cookie, nullif(new_build_id, '') AS "
			"new_build_id, nullif(new_cookie, '') AS new_cookie, same_build_id, since, "
			"processes, places, as_of",
		.from = "FROM perfstamp.still_replaced WHERE true",
		.order = "path, host, since",
	},
	{
		.name = "without-symbols",
		.filters = FILTER_PATH | FILTER_BUILD_ID | FILTER_ALL,
		.headings = {"IDENTITY", "HOSTS", "RUNNING", "LAST", "PATH"},
		.columns = IDENTITY("build_id", "cookie",
			"NULL") ", hosts::text, running::text, " TIME("last_seen") ", path",
		.json = "nullif(build_id, '') AS build_id, nullif(cookie, '') AS cookie, path, "
			"hosts, "
			"running, last_seen",
		.from = "FROM perfstamp.without_symbols WHERE true",
		.now = "running > 0",
		.order = "running DESC, hosts DESC, path, build_id, cookie",
	},
	{
		.name = "shared",
		.filters = FILTER_PATH | FILTER_HOST | FILTER_ALL,
		.headings = {"BUILD-ID", "CONTENTS", "COOKIE", "HOST", "STATE", "LAST", "PATH"},
		.columns =
			"build_id, contents::text, cookie, host, CASE WHEN running THEN 'running' "
			"ELSE 'ended' END, " TIME("last_seen") ", path",
		.json = "build_id, contents, nullif(cookie, '') AS cookie, host, path, running, "
			"last_seen",
		.from = "FROM perfstamp.shared_build_ids WHERE true",
		.now = "running",
		.order = "build_id, cookie, host, path",
	},
	{
		.name = "hosts",
		.filters = FILTER_HOST,
		.headings = {"HOST", "UNTIL", "FILES", "SAMPLES", "LOST", "KERNEL", "RUNG"},
		.columns = "name, " TIME("newest_ends") ", files::text, samples::text, lost::text, "
							"kernel, rung",
		.json = "name AS host, newest_ends, files, samples, lost, kernel, arch, rung",
		.from = "FROM (SELECT h.name, h.newest_ends, h.files, "
			"least(h.samples, 9223372036854775807)::bigint AS samples, "
			"least(h.lost, 9223372036854775807)::bigint AS lost, n.kernel, n.arch, "
			"n.rung, h.name AS host FROM perfstamp.hosts h LEFT JOIN perfstamp.files n "
			"ON n.file = h.newest) t WHERE true",
		.order = "name",
	},
	{
		.name = "modules",
		.filters = FILTER_PATH | FILTER_HOST,
		.headings = {"HOST", "MODULE", "BUILD-ID", "LOADED", "UNLOADED", "STATE"},
		.columns = "host, name, build_id, " TIME("loaded") ", " TIME("unloaded") ", state",
		.json = "host, name AS module, nullif(path, '') AS path, nullif(build_id, '') AS "
			"build_id, loaded, unloaded, state, inferred",
		/* OFFSET 0 prevents the planner from reading the modules of all files of a day. */
		.from = "FROM (SELECT h.name AS host, m.name, m.path, encode(m.build_id, 'hex') AS "
			"build_id, m.loaded, m.unloaded, m.state, m.inferred FROM perfstamp.hosts "
			"h CROSS JOIN LATERAL (SELECT * FROM perfstamp.modules m WHERE m.file = "
			"h.newest AND m.day = (h.newest_ends AT TIME ZONE 'UTC')::date OFFSET 0) "
			"m) t WHERE true",
		.own_paths = true,
		.order = "host, name, loaded",
	},
	{
		.name = "losses",
		.filters = FILTER_HOST,
		.headings = {"HOST", "CAUSE", "LOST", "BEGIN", "END", "FILE"},
		.columns = "host, cause, n::text, " TIME("begins") ", " TIME("ends") ", name",
		.json = "host, cause, n AS lost, begins, ends, name AS file",
		.from = "FROM (SELECT h.name AS host, l.cause, l.n, l.begins, l.ends, f.name FROM "
			"perfstamp.losses l JOIN perfstamp.hosts h USING (host) JOIN "
			"perfstamp.files f "
			"USING (file)) t WHERE true",
		.order = "begins, host, cause",
	},
};

const struct fleet_query *fleet_query__find(const char *name)
{
	for (size_t i = 0; i < sizeof(QUERIES) / sizeof(QUERIES[0]); i++)
		if (!strcmp(QUERIES[i].name, name))
			return &QUERIES[i];
	return NULL;
}

/* Converts a pattern with * and ? to a pattern of LIKE, with a NUL. */
static char *like_of(const char *glob)
{
	char *ret = malloc(2 * strlen(glob) + 1), *at = ret;

	if (!ret)
		return NULL;
	for (; *glob; glob++) {
		if (strchr("%_\\", *glob))
			*at++ = '\\';
		*at++ = *glob == '*' ? '%' : *glob == '?' ? '_' : *glob;
	}
	*at = '\0';
	return ret;
}

static int add_param(struct fleet_sql *sql, char *value)
{
	if (!value)
		return -ENOMEM;
	sql->params[sql->n_params++] = value;
	return 0;
}

/* Adds a filter by path. A text without * and ? is looked up in the index of perfstamp.paths. */
static int add_path(struct fleet_sql *sql, const struct fleet_query *query, const char *glob)
{
	bool pattern = strpbrk(glob, "*?");
	int err = add_param(sql, pattern ? like_of(glob) : strdup(glob));

	buffer__printf(&sql->text,
		pattern            ? " AND path LIKE $%zu"
		: query->own_paths ? " AND path = $%zu"
				   : " AND perfstamp.text_key(path) = perfstamp.text_key($%zu)",
		sql->n_params);
	return err;
}

static int add_pattern(struct fleet_sql *sql, const char *format, const char *glob)
{
	int err = add_param(sql, like_of(glob));

	buffer__printf(&sql->text, "%s LIKE $%zu", format, sql->n_params);
	return err;
}

/* Adds a filter by the first bytes of a build-id or a cookie. */
static int add_build_id(struct fleet_sql *sql, const struct fleet_query *query,
	const struct fleet_selection *selection)
{
	static const char LAST[] = "ffffffffffffffffffffffffffffffffffffffffff";
	const char *column = !strcmp(query->name, "replaced") ? "old" : "content";
	char hex[2 * PERFSTAMP_BUILD_ID_MAX + 1];
	char *first = NULL, *last = NULL;
	int err;

	text__hex(hex, sizeof(hex), selection->build_id, selection->build_id_size);
	if (asprintf(&first, "\\x%s", hex) < 0)
		first = NULL;
	if (asprintf(&last, "\\x%s%s", hex, LAST) < 0)
		last = NULL;
	err = add_param(sql, first);
	if (err)
		free(last);
	else
		err = add_param(sql, last);
	buffer__printf(&sql->text,
		" AND %s IN (SELECT c.content FROM perfstamp.contents c WHERE c.build_id BETWEEN "
		"$%zu::bytea AND $%zu::bytea OR c.cookie BETWEEN $%zu::bytea AND $%zu::bytea)",
		column, sql->n_params - 1, sql->n_params, sql->n_params - 1, sql->n_params);
	return err;
}

int fleet_query__write(struct fleet_sql *ret, const struct fleet_query *query,
	const struct fleet_selection *selection, bool json)
{
	int err = 0;

	*ret = (struct fleet_sql){0};
	buffer__init(&ret->text, 0);
	buffer__printf(&ret->text, "%sSELECT %s %s", json ? "SELECT row_to_json(r) FROM (" : "",
		json ? query->json : query->columns, query->from);
	if (query->now && !selection->all)
		buffer__printf(&ret->text, " AND %s", query->now);
	if (selection->path)
		err = add_path(ret, query, selection->path);
	if (!err && selection->host)
		err = add_pattern(ret, " AND host", selection->host);
	if (!err && selection->build_id_size)
		err = add_build_id(ret, query, selection);
	if (!err && selection->container) {
		err = add_pattern(ret,
			" AND EXISTS (SELECT FROM unnest(places || images) p WHERE p",
			selection->container);
		buffer__u8(&ret->text, ')');
	}
	if (!err && selection->package)
		err = add_pattern(ret, " AND package", selection->package);
	buffer__printf(&ret->text, " ORDER BY %s%s", query->order, json ? ") r" : "");
	buffer__u8(&ret->text, '\0');
	return err ? err : ret->text.error;
}

void fleet_sql__free(struct fleet_sql *sql)
{
	for (size_t i = 0; i < sql->n_params; i++)
		free(sql->params[i]);
	buffer__free(&sql->text);
}
