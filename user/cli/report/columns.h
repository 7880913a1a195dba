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

/* Each exits where a name is not known. A --sort that begins with + adds to the keys so far. */
void report_columns__sort(
	struct report_columns *columns, const char *arg, struct argp_state *state);
void report_columns__fields(
	struct report_columns *columns, const char *arg, struct argp_state *state);
/* When all options were taken: the keys and the order of the rows. */
void report_columns__apply(const struct report_columns *columns, struct report_options *ret);
/* Does the same as --sort for a default value of perfconfig; false if a name is not known. */
bool report_columns__config(struct report_columns *columns, const char *keys);
/* Adds a key to those of --sort. */
void report_columns__add(struct report_columns *columns, enum report_key key);
/* Whether @key is among the columns that were asked for by either option. */
bool report_columns__has(const struct report_columns *columns, enum report_key key);

#endif
