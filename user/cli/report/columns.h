/* SPDX-License-Identifier: GPL-2.0-only */
/* The columns of report and the order of rows: its --sort and --fields. */
#ifndef PERFSTAMP_CLI_REPORT_COLUMNS_H
#define PERFSTAMP_CLI_REPORT_COLUMNS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "user/model/profile/report.h"

struct report_columns {
	enum report_key sort[REPORT_COLUMNS];
	size_t n_sort;
	bool sorted; /* --sort was given */
	enum report_key fields[REPORT_COLUMNS];
	size_t n_fields;
};

/* Both exit if a name is not known. A --sort that begins with + adds to the current keys. */
void report_columns__sort(
	struct report_columns *columns, const char *arg, struct argp_state *state);
void report_columns__fields(
	struct report_columns *columns, const char *arg, struct argp_state *state);
/*
 * Sets the keys and the order of rows, after all options were parsed. Adds the keys of --sort to
 * the columns if both options were given.
 */
void report_columns__apply(struct report_columns *columns, struct report_options *ret);
/* Parses a default value of --sort in perfconfig. Returns false if a name is not known. */
bool report_columns__config(struct report_columns *columns, const char *keys);
/* Adds a key to --sort. */
void report_columns__add(struct report_columns *columns, enum report_key key);
/* Whether either option requests the column @key. */
bool report_columns__has(const struct report_columns *columns, enum report_key key);

#endif
