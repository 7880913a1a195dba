/* SPDX-License-Identifier: GPL-2.0-only */
/* The queries of fleet, as SQL on the views of user/push/schema.sql. */
#ifndef PERFSTAMP_CLI_FLEET_QUERIES_H
#define PERFSTAMP_CLI_FLEET_QUERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"
#include "user/base/buffer.h"

#define FLEET_COLUMNS_MAX 16
#define FLEET_PARAMS_MAX 8

enum fleet_filter {
	FILTER_PATH = 1 << 0,
	FILTER_BUILD_ID = 1 << 1,
	FILTER_HOST = 1 << 2,
	FILTER_CONTAINER = 1 << 3,
	FILTER_ALL = 1 << 4, /* also builds that no longer run */
	FILTER_PACKAGE = 1 << 5,
};

struct fleet_query {
	const char *name;
	unsigned int filters; /* the filters that the query supports */
	const char *headings[FLEET_COLUMNS_MAX];
	const char *columns; /* text columns for people, one for each heading */
	const char *json;    /* columns for programs; their names are the keys */
	const char *from;    /* includes WHERE and a condition */
	const char *now;     /* a condition that is omitted with --all; NULL: none */
	const char *order;
	bool own_paths; /* paths are in the query's own table, not in perfstamp.paths */
};

/* Filters; NULL or 0: no filter. */
struct fleet_selection {
	const char *path; /* a pattern with * and ?, like the following ones */
	const char *host;
	const char *container;
	const char *package;
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX]; /* first bytes of a build-id or a cookie */
	size_t build_id_size;
	bool all;
};

/* Returns the query with this name, or NULL. */
const struct fleet_query *fleet_query__find(const char *name);

struct fleet_sql {
	struct buffer text; /* ends with a NUL */
	char *params[FLEET_PARAMS_MAX];
	size_t n_params;
};

/* Returns 0 or -ENOMEM. The caller frees @ret in either case. */
int fleet_query__write(struct fleet_sql *ret, const struct fleet_query *query,
	const struct fleet_selection *selection, bool json);
void fleet_sql__free(struct fleet_sql *sql);

#endif
