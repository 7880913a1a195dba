// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_view: see report.h. The table. Different DSOs always have different names: if two
 * have the same name, each is followed by the start of its identity.
 */
#include "user/view/report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/view/format/escaped.h"
#include "user/view/headline.h"
#include "user/view/report/private.h"
#include "user/view/format/width.h"

#define WIDTH_MAX 100 /* longer texts exceed the column */

struct table {
	const struct report_view *view;
	struct labels labels;
	enum report_key columns[REPORT_COLUMNS];
	int widths[REPORT_COLUMNS];
	size_t n_columns;
};

static void write_padded(FILE *out, const char *text, bool right, int width)
{
	int pad = width - (int)width__of(text);

	fprintf(out, "  %*s%s%*s", right && pad > 0 ? pad : 0, "", text,
		!right && pad > 0 ? pad : 0, "");
}

/* As in perf, the separator is replaced within columns. */
static void write_separated(FILE *out, const struct table *table, size_t column, char *text)
{
	const char *separator = table->view->separator;

	for (char *at = text; !separator[1] && (at = strchr(at, *separator)); at++)
		*at = '.';
	fprintf(out, "%s%s", column ? separator : "", text);
}

static bool has_width(const struct table *table, size_t column)
{
	return column < table->view->n_widths && table->view->widths[column] > 0;
}

static void write_text(FILE *out, struct table *table, size_t i, char *text)
{
	bool right = report_view__is_number(table->columns[i]);
	bool last = i + 1 == table->n_columns;

	if (table->view->separator) {
		write_separated(out, table, i, text);
		return;
	}
	if (has_width(table, i) && !right)
		width__cut(text, table->widths[i]);
	write_padded(out, text, right, last && !right ? 0 : table->widths[i]);
}

/* Writes the row's cells; if @out is NULL, only determines their widths. Returns 0 or -ENOMEM. */
static int for_each_cell(FILE *out, struct table *table, const struct report_row *row)
{
	const struct report_view *view = table->view;
	char *text = NULL;
	size_t size = 0;
	FILE *cell = open_memstream(&text, &size);

	if (!cell)
		return -ENOMEM;
	for (size_t i = 0; i < table->n_columns; i++) {
		int *width = &table->widths[i];

		rewind(cell);
		if (row)
			report_view__cell(cell, view, &table->labels, row, table->columns[i]);
		else
			fputs(report_view__title(view, table->columns[i]), cell);
		fputc('\0', cell);
		if (fflush(cell) || ferror(cell))
			break;
		if (out) {
			write_text(out, table, i, text);
		} else if (!has_width(table, i)) {
			int len = width__of(text);

			if (len > *width && len <= WIDTH_MAX)
				*width = len;
		}
	}
	fclose(cell);
	free(text);
	if (out)
		fputc('\n', out);
	return 0;
}

static int measure(struct table *table, uint32_t event)
{
	const struct report_view *view = table->view;
	size_t n = report__n_rows(view->report);
	int err;

	memset(table->widths, 0, sizeof(table->widths));
	for (size_t i = 0; i < table->n_columns; i++)
		if (has_width(table, i))
			table->widths[i] = view->widths[i];
	err = for_each_cell(NULL, table, NULL);
	for (size_t i = 0; i < n && !err; i++) {
		const struct report_row *row = report__row(view->report, i);

		if (row->event == event && report_view__is_shown(view, row))
			err = for_each_cell(NULL, table, row);
	}
	return err;
}

static int write_titles(FILE *out, struct table *table, uint32_t event)
{
	int err;

	if (table->view->quiet)
		return 0;
	report_view__heading(out, table->view, event);
	fputs(table->view->separator ? "# " : "#", out);
	err = for_each_cell(out, table, NULL);
	fputs("#\n", out);
	return err;
}

static int write_event(FILE *out, struct table *table, uint32_t event)
{
	const struct report_view *view = table->view;
	size_t n = report__n_rows(view->report);
	int err = measure(table, event);

	if (!err)
		err = write_titles(out, table, event);
	for (size_t i = 0; i < n && !err && !ferror(out); i++) {
		const struct report_row *row = report__row(view->report, i);

		if (row->event != event || !report_view__is_shown(view, row))
			continue;
		if (!view->separator)
			fputc(' ', out);
		err = for_each_cell(out, table, row);
		if (view->graph)
			report_view__graph(out, view, i);
	}
	fputc('\n', out);
	return err;
}

/* Passes one line to @fn: that of @row, or the titles. */
static int hand_out(struct table *table, size_t row, report_line_fn *fn, void *ctx)
{
	const struct report_row *of = row == SIZE_MAX ? NULL
						      : report__row(table->view->report, row);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err;

	if (!out)
		return -ENOMEM;
	err = for_each_cell(out, table, of);
	if (fclose(out) || err) {
		free(text);
		return -ENOMEM;
	}
	text[strcspn(text, "\n")] = '\0';
	err = fn(ctx, text, row);
	free(text);
	return err;
}

int report_view__lines(
	const struct report_view *view, uint32_t event, report_line_fn *fn, void *ctx)
{
	struct table table = {.view = view};
	size_t n = report__n_rows(view->report);
	int err = labels__find(&table.labels, view);

	table.n_columns = report_view__columns(view, table.columns);
	if (!err)
		err = measure(&table, event);
	if (!err)
		err = hand_out(&table, SIZE_MAX, fn, ctx);
	for (size_t i = 0; i < n && !err; i++) {
		const struct report_row *row = report__row(view->report, i);

		if (row->event == event && report_view__is_shown(view, row))
			err = hand_out(&table, i, fn, ctx);
	}
	labels__free(&table.labels);
	return err;
}

void report_view__headline(FILE *out, const struct report_view *view)
{
	char headline[HEADLINE_MAX];

	headline__text(headline, sizeof(headline), model__ledger(view->model));
	if (*headline)
		fprintf(out, "# Of the whole recording, %s\n#\n", headline);
}

int report_view__text(FILE *out, const struct report_view *view)
{
	struct table table = {.view = view};
	int err = labels__find(&table.labels, view);

	table.n_columns = report_view__columns(view, table.columns);
	for (uint32_t i = 0; i < report__n_events(view->report) && !err; i++)
		if (report_view__is_leader(view, i) && report_view__samples(view, i))
			err = view->hierarchy ? report_view__hierarchy(out, view, &table.labels, i)
					      : write_event(out, &table, i);
	labels__free(&table.labels);
	return err;
}
