/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The database of a fleet: its schema (schema.sql), and the files that are added to it, each once
 * and in one transaction. Knows SQL, but neither recordings nor the meaning of the rows.
 */
#ifndef PERFSTAMP_PUSH_INVENTORY_H
#define PERFSTAMP_PUSH_INVENTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/push/database.h"

/* All of these return the same errors as the functions of database.h. */

/* Creates the schema, or the views alone if the database has it. *@ret_made: it was created. */
int inventory__make_schema(struct database *database, bool *ret_made, struct error *err);
/* Returns -EIO if the database has no schema, or one of another version. */
int inventory__check_schema(struct database *database, struct error *err);

struct inventory_table {
	const char *name; /* name of the temporary table that add_file() reads */
	const char *columns;
	const void *rows; /* in the text format of COPY */
	size_t size;
};

struct inventory_file {
	const char *host;
	const char *boot; /* "": not known */
	uint8_t sha256[32];
	const char *name;  /* escaped by base/text, like the next members */
	uint64_t number;   /* 0: not one of several files */
	int64_t begins_us; /* since the epoch */
	int64_t ends_us;
	bool clock_recorded;
	bool complete;
	const char *kernel, *arch, *rung; /* "": not known */
	uint64_t maps, identified, cookies, samples, lost_records, lost_samples;
	const struct inventory_table *tables;
	size_t n_tables;
};

/* Creates the temporary tables. Called once for each connection, before the first file. */
int inventory__begin(struct database *database, const struct inventory_table *tables, size_t n,
	struct error *err);
/* *@ret_taken: the database did not have the file before. */
int inventory__put(struct database *database, const struct inventory_file *file, bool *ret_taken,
	struct error *err);

#endif
