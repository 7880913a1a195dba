// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_view: see report.h. The table. DSOs that differ are never called alike: where
 * two have one name, each has the beginning of its identity behind it.
 */
#include "user/view/report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/view/escaped.h"
#include "user/view/headline.h"
#include "user/view/report/private.h"
#include "user/view/width.h"

#define COLUMNS_MAX (REPORT_KEYS + 3)
#define WIDTH_MAX 100 /* what is longer sticks out */

enum { COLUMN_CHILDREN = REPORT_KEYS, COLUMN_SELF, COLUMN_N };

struct table {
	const struct report_view *view;
	struct labels labels;
	unsigned int columns[COLUMNS_MAX];
	int widths[COLUMNS_MAX];
	size_t n_columns;
};

static const char *const TITLES[] = {
	[REPORT_COMM] = "Command",
	[REPORT_PID] = "Pid",
	[REPORT_TID] = "Tid",
	[REPORT_DSO] = "Shared Object",
	[REPORT_SYM] = "Symbol",
	[REPORT_SRCLINE] = "Source:Line",
	[REPORT_BUILD_ID] = "Build-id",
	[REPORT_CPU] = "CPU",
	[REPORT_CGROUP] = "Cgroup",
	[COLUMN_CHILDREN] = "Children",
	[COLUMN_SELF] = "Self",
	[COLUMN_N] = "Samples",
};

static bool is_number(unsigned int column)
{
	return column == REPORT_PID || column == REPORT_TID || column == REPORT_CPU ||
	       column >= COLUMN_CHILDREN;
}

static void write_srcline(FILE *out, const struct report_view *view, uint32_t place)
{
	const struct resolved *resolved = &view->resolved[place];

	if (resolved->srcline)
		escaped__write(out, resolved->srcline);
	else if (resolved->name)
		escaped__write(out, resolved->name);
	else
		report_view__symbol(out, view, place, NULL);
}

static void write_cgroup(FILE *out, const struct report_view *view, uint64_t id)
{
	const char *path = model__cgroup_path(view->model, id);

	if (path)
		escaped__write(out, path);
	else
		fprintf(out, "%" PRIu64, id);
}

static void write_cell(
	FILE *out, const struct table *table, const struct report_row *row, unsigned int column)
{
	const struct report_view *view = table->view;
	uint64_t total = report__total_period(view->report, row->event);

	switch (column) {
	case REPORT_COMM:
		escaped__write(out, samples__text(view->samples, row->comm));
		break;
	case REPORT_PID:
		fprintf(out, "%d", (int)row->pid);
		break;
	case REPORT_TID:
		fprintf(out, "%d", (int)row->tid);
		break;
	case REPORT_DSO:
		report_view__write_dso(out, view, &table->labels, row->place);
		break;
	case REPORT_SYM:
		report_view__symbol(out, view, row->place, row->inlined);
		break;
	case REPORT_SRCLINE:
		write_srcline(out, view, row->place);
		break;
	case REPORT_BUILD_ID:
		report_view__write_build_id(out, view, row->place, SIZE_MAX >> 40);
		break;
	case REPORT_CPU:
		fprintf(out, "%03d", (int)row->cpu);
		break;
	case REPORT_CGROUP:
		write_cgroup(out, view, row->cgroup);
		break;
	case COLUMN_CHILDREN:
		fprintf(out, "%.2f%%", report_view__percent(row->children_period, total));
		break;
	case COLUMN_SELF:
		fprintf(out, "%.2f%%", report_view__percent(row->period, total));
		break;
	case COLUMN_N:
		fprintf(out, "%" PRIu64, row->n);
		break;
	}
}

static void choose_columns(struct table *table)
{
	const struct report_options *options = table->view->options;

	if (options->children)
		table->columns[table->n_columns++] = COLUMN_CHILDREN;
	table->columns[table->n_columns++] = COLUMN_SELF;
	if (table->view->show_n)
		table->columns[table->n_columns++] = COLUMN_N;
	for (size_t i = 0; i < options->n_keys; i++)
		table->columns[table->n_columns++] = options->keys[i];
}

static const char *title(const struct table *table, unsigned int column)
{
	return column == COLUMN_SELF && !table->view->options->children ? "Overhead"
									: TITLES[column];
}

static void write_padded(FILE *out, const char *text, bool right, int width)
{
	int pad = width - (int)width__of(text);

	fprintf(out, "  %*s%s%*s", right && pad > 0 ? pad : 0, "", text,
		!right && pad > 0 ? pad : 0, "");
}

/* Writes the row's cells, or without @out only takes their widths. 0 or -ENOMEM. */
static int for_each_cell(FILE *out, struct table *table, const struct report_row *row)
{
	char *text = NULL;
	size_t size = 0;
	FILE *cell = open_memstream(&text, &size);

	if (!cell)
		return -ENOMEM;
	for (size_t i = 0; i < table->n_columns; i++) {
		unsigned int column = table->columns[i];
		bool last = i + 1 == table->n_columns;
		int *width = &table->widths[i];

		rewind(cell);
		if (row)
			write_cell(cell, table, row, column);
		else
			fputs(title(table, column), cell);
		fputc('\0', cell);
		if (fflush(cell) || ferror(cell))
			break;
		if (!out) {
			int len = width__of(text);

			if (len > *width && len <= WIDTH_MAX)
				*width = len;
			continue;
		}
		write_padded(out, text, is_number(column), last && !is_number(column) ? 0 : *width);
	}
	fclose(cell);
	free(text);
	if (out)
		fputc('\n', out);
	return 0;
}

static void write_heading(FILE *out, struct table *table, uint32_t event)
{
	const struct report_view *view = table->view;
	const char *name = event < view->n_events ? view->events[event] : NULL;

	fprintf(out, "# Samples: %" PRIu64 " of event '", report__total_n(view->report, event));
	escaped__write(out, name ? name : "unknown");
	fprintf(out, "'\n# Event count (approx.): %" PRIu64 "\n#\n#",
		report__total_period(view->report, event));
}

static int write_event(FILE *out, struct table *table, uint32_t event)
{
	const struct report_view *view = table->view;
	size_t n = report__n_rows(view->report);
	int err;

	memset(table->widths, 0, sizeof(table->widths));
	err = for_each_cell(NULL, table, NULL);
	for (size_t i = 0; i < n && !err; i++) {
		const struct report_row *row = report__row(view->report, i);

		if (row->event == event && report_view__is_shown(view, row))
			err = for_each_cell(NULL, table, row);
	}
	if (err)
		return err;
	write_heading(out, table, event);
	err = for_each_cell(out, table, NULL);
	fputs("#\n", out);
	for (size_t i = 0; i < n && !err && !ferror(out); i++) {
		const struct report_row *row = report__row(view->report, i);

		if (row->event != event || !report_view__is_shown(view, row))
			continue;
		fputc(' ', out);
		err = for_each_cell(out, table, row);
		if (view->graph)
			report_view__graph(out, view, i);
	}
	fputc('\n', out);
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

	choose_columns(&table);
	for (uint32_t i = 0; i < report__n_events(view->report) && !err; i++)
		if (report__total_n(view->report, i))
			err = write_event(out, &table, i);
	labels__free(&table.labels);
	return err;
}
