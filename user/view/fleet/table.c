// SPDX-License-Identifier: GPL-2.0-only
/* See table.h. */
#include "user/view/fleet/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"

#define WIDTH_MAX 100 /* of a column: longer texts exceed the column */
#define COLUMNS_MAX 32

static int write_cell(FILE *out, const char *text, size_t width)
{
	char *copy = strdup(text && *text ? text : "-");

	if (!copy)
		return -ENOMEM;
	text__sanitize(copy);
	fprintf(out, "%-*s", (int)width, copy);
	free(copy);
	return 0;
}

int table__write(FILE *out, const char *const *heading, size_t n_columns, size_t n_rows,
	table_cell_fn *cell, const void *ctx)
{
	size_t widths[COLUMNS_MAX] = {0}, n;
	int err = 0;

	for (size_t i = 0; i < n_columns; i++)
		widths[i] = strlen(heading[i]);
	for (size_t row = 0; row < n_rows; row++) {
		for (size_t i = 0; i < n_columns; i++) {
			const char *text = cell(ctx, row, i);

			n = text ? strlen(text) : 1;
			if (n > widths[i] && n <= WIDTH_MAX)
				widths[i] = n;
		}
	}
	for (size_t i = 0; i < n_columns && !err; i++) {
		err = write_cell(out, heading[i], i + 1 < n_columns ? widths[i] : 0);
		fputc(i + 1 < n_columns ? ' ' : '\n', out);
	}
	for (size_t row = 0; row < n_rows && !err; row++) {
		for (size_t i = 0; i < n_columns && !err; i++) {
			err = write_cell(out, cell(ctx, row, i), i + 1 < n_columns ? widths[i] : 0);
			fputc(i + 1 < n_columns ? ' ' : '\n', out);
		}
	}
	return err;
}
