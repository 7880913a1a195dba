/* SPDX-License-Identifier: GPL-2.0-only */
/* A text table: columns have the width of their cells, except the last one. Pure. */
#ifndef PERFSTAMP_VIEW_FLEET_TABLE_H
#define PERFSTAMP_VIEW_FLEET_TABLE_H

#include <stddef.h>
#include <stdio.h>

/* Returns the text of a cell, valid while the table is written; NULL: the cell is empty. */
typedef const char *table_cell_fn(const void *ctx, size_t row, size_t column);

/*
 * Writes a heading and @n_rows rows. Characters that could control a terminal are replaced. After a
 * write error, ferror(@out) is true. Returns 0 or -ENOMEM.
 */
int table__write(FILE *out, const char *const *heading, size_t n_columns, size_t n_rows,
	table_cell_fn *cell, const void *ctx);

#endif
