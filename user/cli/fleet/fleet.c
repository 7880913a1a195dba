// SPDX-License-Identifier: GPL-2.0-only
/* perfstamp fleet: queries the database that push fills, and prints the answers as text or JSON. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/cli/cli.h"
#include "user/cli/fleet/queries.h"
#include "user/cli/fleet/sbom.h"
#include "user/push/database.h"
#include "user/push/inventory.h"
#include "user/view/fleet/table.h"
#include "user/view/format/json.h"

#define URL_VARIABLE "PERFSTAMP_DATABASE"

struct options {
	const char *url;
	const char *name; /* name of the query */
	struct fleet_selection selection;
	bool json;
};

enum { KEY_JSON = 256, KEY_PATH, KEY_BUILD_ID, KEY_HOST, KEY_CONTAINER, KEY_PACKAGE, KEY_ALL };

static const struct argp_option OPTIONS[] = {
	{"database", 'd', "URL", 0, "The database (default: $" URL_VARIABLE ")", 0},
	{"path", KEY_PATH, "GLOB", 0, "Show only paths that match GLOB; * also matches /", 0},
	{"build-id", KEY_BUILD_ID, "HEX", 0,
		"Show only builds whose build-id or cookie begins with HEX", 0},
	{"host", KEY_HOST, "GLOB", 0, "Show only these hosts", 0},
	{"container", KEY_CONTAINER, "GLOB", 0,
		"Show only what runs in a container, image or unit that matches GLOB", 0},
	{"package", KEY_PACKAGE, "GLOB", 0, "Show only files of packages that match GLOB", 0},
	{"all", KEY_ALL, NULL, 0, "Also show builds that no longer run", 0},
	{"json", KEY_JSON, NULL, 0, "Write JSON, one object per line", 0},
	{0},
};

static void take_build_id(struct options *options, const char *arg, struct argp_state *state)
{
	struct fleet_selection *selection = &options->selection;
	int size = text__parse_hex(selection->build_id, sizeof(selection->build_id), arg);

	if (size < 0)
		argp_error(state,
			"--build-id requires up to 40 hexadecimal digits, an even number of "
			"them: `%s'",
			arg);
	selection->build_id_size = size;
}

static void check(struct options *options, struct argp_state *state)
{
	const struct fleet_query *query;
	const struct fleet_selection *selection = &options->selection;
	unsigned int given = (selection->path ? FILTER_PATH : 0) |
			     (selection->build_id_size ? FILTER_BUILD_ID : 0) |
			     (selection->host ? FILTER_HOST : 0) |
			     (selection->container ? FILTER_CONTAINER : 0) |
			     (selection->package ? FILTER_PACKAGE : 0) |
			     (selection->all ? FILTER_ALL : 0);

	if (!options->name) {
		argp_error(state, "a query is required");
		return;
	}
	if (!options->url)
		options->url = getenv(URL_VARIABLE);
	if (!options->url)
		argp_error(state, "a database is required: --database, or " URL_VARIABLE
				  " in the environment");
	query = fleet_query__find(options->name);
	if (!query && strcmp(options->name, "setup") != 0)
		argp_error(state, "unknown query `%s'", options->name);
	if (given & ~(query ? query->filters : 0))
		argp_error(state, "%s has not all of these options", options->name);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'd':
		options->url = arg;
		return 0;
	case KEY_PATH:
		options->selection.path = arg;
		return 0;
	case KEY_BUILD_ID:
		take_build_id(options, arg, state);
		return 0;
	case KEY_HOST:
		options->selection.host = arg;
		return 0;
	case KEY_CONTAINER:
		options->selection.container = arg;
		return 0;
	case KEY_PACKAGE:
		options->selection.package = arg;
		return 0;
	case KEY_ALL:
		options->selection.all = true;
		return 0;
	case KEY_JSON:
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->name)
			argp_error(state, "more than one query given: %s, %s", options->name, arg);
		options->name = arg;
		return 0;
	case ARGP_KEY_END:
		check(options, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const char *cell_of(const void *ctx, size_t row, size_t column)
{
	return database_answer__text(ctx, row, column);
}

/* The JSON of the server is valid, but it may contain control sequences for terminals. */
static int write_json(const struct database_answer *answer)
{
	for (size_t i = 0; i < answer->n_rows; i++) {
		struct json_object *object = json_tokener_parse(
			database_answer__text(answer, i, 0));

		if (!object)
			return -ENOMEM;
		json__write_line(object, stdout);
	}
	return 0;
}

static int ask(struct database *database, const struct options *options, struct error *err)
{
	const struct fleet_query *query = fleet_query__find(options->name);
	struct database_answer answer;
	struct fleet_sql sql;
	bool sbom = !strcmp(query->name, "sbom");
	int code = fleet_query__write(&sql, query, &options->selection, options->json && !sbom);

	if (code)
		error__set(err, code, "out of memory");
	/* For JSON, the server formats the times. */
	if (!code)
		code = database__run(database, "SET TIME ZONE 'UTC'", err);
	if (!code)
		code = database__ask(database, (const char *)sql.text.data,
			(const char *const *)sql.params, sql.n_params, &answer, err);
	fleet_sql__free(&sql);
	if (code)
		return code;
	if (sbom)
		code = sbom__write(database, &answer, stdout, err);
	else
		code = options->json ? write_json(&answer)
				     : table__write(stdout, query->headings, answer.n_columns,
					       answer.n_rows, cell_of, &answer);
	database_answer__free(&answer);
	if (code == -ENOMEM)
		error__set(err, code, "out of memory");
	return code;
}

static int setup(struct database *database, struct error *err)
{
	bool made;
	int code = inventory__make_schema(database, &made, err);

	if (!code)
		puts(made ? "tables made in the schema perfstamp" : "the tables exist already");
	return code;
}

int cmd_fleet(int argc, char **argv)
{
	static const struct argp ARGP = {
		.options = OPTIONS,
		.parser = parse,
		.args_doc = "QUERY",
		.doc = "Show which hosts run which builds, from the database that `perfstamp push' "
		       "fills. QUERY is running, packages, sbom, replaced, without-symbols, "
		       "shared, "
		       "hosts, modules, losses or setup.",
	};
	struct options options = {0};
	struct database *database;
	struct error err;
	int code;

	cli__parse(&ARGP, argc, argv, &options);
	code = database__open(&database, options.url, "perfstamp fleet", &err);
	if (code)
		return cli__fail("%s", err.text);
	if (!strcmp(options.name, "setup"))
		code = setup(database, &err);
	else
		code = inventory__check_schema(database, &err);
	if (!code && strcmp(options.name, "setup") != 0)
		code = ask(database, &options, &err);
	database__free(database);
	return code ? cli__fail("%s", err.text) : CLI_DONE;
}
