/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of one recording for the database of a fleet: those of the temporary tables that
 * add_file() in user/push/schema.sql reads. Reads the model; knows neither server nor file. The
 * content is that of list, of replaced and of `list --modules'.
 */
#ifndef PERFSTAMP_VIEW_FLEET_ROWS_H
#define PERFSTAMP_VIEW_FLEET_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/model/model.h"
#include "user/model/replaced/replaced.h"
#include "user/view/header_ids.h"

enum fleet_table {
	FLEET_CONTENTS,
	FLEET_PATHS,
	FLEET_PLACES,
	FLEET_PACKAGES,
	FLEET_SIGHTINGS,
	FLEET_REPLACEMENTS,
	FLEET_MODULES,
	FLEET_LOSSES,
	FLEET_TABLES,
};

/* The package of a content, and how it was determined. Texts may be any bytes. */
struct fleet_package {
	const char *kind; /* dpkg, rpm, note */
	const char *os;   /* ID of os-release(5); "": not known, like the next members */
	const char *name, *version, *architecture, *source, *source_version;
};

#define FLEET_PACKAGES_MAX 2 /* packages of one content at one path */

struct fleet_source {
	struct model *model;
	uint64_t end_ns; /* end of the recording, by its own clock */
	/* what was replaced at its end; NULL: the recording has no event */
	struct replaced *replaced;
	const struct header_ids *header_ids; /* or NULL */
	const char *stamp;                   /* the recording's own lines, or NULL */
	size_t stamp_size;
	int64_t wall_ns; /* added to a time of the recording, it gives ns since the epoch */
	/* Returns whether this host has a file with the content. NULL: not known. */
	bool (*has_file)(void *ctx, const struct perfstamp_identity *identity);
	/*
	 * Fills @ret with the packages of a content that user space had mapped at @path, and
	 * returns their number. NULL: not known.
	 */
	size_t (*packages)(void *ctx, const struct perfstamp_identity *identity, const char *path,
		struct fleet_package ret[FLEET_PACKAGES_MAX]);
	void *ctx;
};

struct fleet_rows {
	struct buffer tables[FLEET_TABLES]; /* in the text format of COPY */
	size_t n[FLEET_TABLES];             /* rows */
};

/* Returns 0 or -ENOMEM; free @ret in either case. */
int fleet_rows__make(struct fleet_rows *ret, const struct fleet_source *source);
void fleet_rows__free(struct fleet_rows *rows);

/* The name of the table, and its columns with their types, in the syntax of CREATE TABLE. */
const char *fleet_table__name(enum fleet_table table);
const char *fleet_table__columns(enum fleet_table table);

/* Converts a time of the recording to µs since the epoch, without overflow. */
int64_t fleet__time_us(int64_t wall_ns, uint64_t time_ns);

#endif
