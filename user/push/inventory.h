/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The database of a fleet: its schema (schema.sql), and the files that go into it, each in one
 * transaction and once. Knows SQL, and nothing of recordings or of what the rows say.
 */
#ifndef PERFSTAMP_PUSH_INVENTORY_H
#define PERFSTAMP_PUSH_INVENTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/push/database.h"

/* All of these return as the functions of database.h do. */

/* Makes the schema where there is none. *@ret_made: there was none. */
int inventory__make_schema(struct database *database, bool *ret_made, struct error *err);
/* -EIO if there is none, or another version than this program knows. */
int inventory__check_schema(struct database *database, struct error *err);

struct inventory_table {
	const char *name; /* of the temporary table that add_file() reads */
	const char *columns;
	const void *rows; /* in the text format of COPY */
	size_t size;
};

struct inventory_file {
	const char *host;
	const char *boot; /* "": not known */
	uint8_t sha256[32];
	const char *name;  /* as base/text escapes it, like the next ones */
	uint64_t number;   /* 0: it is not one of several */
	int64_t begins_us; /* since the epoch */
	int64_t ends_us;
	bool clock_recorded;
	bool complete;
	const char *kernel, *arch, *rung; /* "": not known */
	uint64_t maps, identified, cookies, samples, lost_records, lost_samples;
	const struct inventory_table *tables;
	size_t n_tables;
};

/* Once for each connection, before the first file: the temporary tables. */
int inventory__begin(struct database *database, const struct inventory_table *tables, size_t n,
	struct error *err);
/* *@ret_taken: it did not exist before. */
int inventory__put(struct database *database, const struct inventory_file *file, bool *ret_taken,
	struct error *err);

#endif
