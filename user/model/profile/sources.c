// SPDX-License-Identifier: GPL-2.0-only
/* See sources.h. */
#include "user/model/profile/sources.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A row of the report with a source line. */
struct found {
	const struct report_row *row;
	const struct symbol_source *source;
	uint32_t dso;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_files(const struct found *x, const struct found *y)
{
	int order = compare_numbers(x->row->event, y->row->event);

	if (!order)
		order = compare_numbers(x->dso, y->dso);
	return order ? order : strcmp(x->source->path, y->source->path);
}

static int by_file_and_line(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int order = compare_files(x, y);

	return order ? order : compare_numbers(x->source->line, y->source->line);
}

static int by_time(const void *a, const void *b)
{
	const struct source_file *x = a, *y = b;
	int order = compare_numbers(x->event, y->event);

	if (!order)
		order = compare_numbers(y->period, x->period);
	return order ? order : compare_numbers(x->place, y->place);
}

static struct found *find_rows(
	const struct report *report, const struct resolved *resolved, size_t *ret_n)
{
	size_t n = report__n_rows(report);
	struct found *found = calloc(n + 1, sizeof(*found));

	*ret_n = 0;
	for (size_t i = 0; found && i < n; i++) {
		const struct report_row *row = report__row(report, i);
		const struct symbol_source *source = resolved[row->place].source;

		if (row->numbers->n && source)
			found[(*ret_n)++] = (struct found){
				row, source, report__dso(report, row->place)};
	}
	if (found)
		qsort(found, *ret_n, sizeof(*found), by_file_and_line);
	return found;
}

static bool is_enough(const struct report *report, const struct report_row *row, double percent)
{
	double total = (double)report__total_period(report, row->event);

	return (double)row->numbers->period >= total * percent / 100;
}

/* Adds the lines from @from to @to that come after the last added line. */
static void add_lines(struct source_file *file, uint64_t from, uint64_t to)
{
	uint64_t last = file->n_lines ? file->lines[file->n_lines - 1].number : 0;

	for (uint64_t i = from > last ? from : last + 1; i <= to && i <= UINT32_MAX; i++)
		file->lines[file->n_lines++].number = i;
}

/* Returns the maximum number of lines for @n rows. */
static size_t most_lines(const struct found *found, size_t n, uint32_t around)
{
	uint64_t all = (uint64_t)found[n - 1].source->line - found->source->line + 1 +
		       2ull * around;
	uint64_t each = n * (1 + 2ull * around);

	return all < each ? all : each;
}

/*
 * Fills one file with the lines of the @n rows from @found on. A line below the limit is shown only
 * if it is near another line. Returns 0 or -ENOMEM.
 */
static int fill(struct source_file *file, const struct report *report, const struct found *found,
	size_t n, double percent, uint32_t around)
{
	uint64_t reach = 0; /* all lines up to this one are added */

	*file = (struct source_file){.event = found->row->event, .place = found->row->place};
	file->lines = calloc(most_lines(found, n, around), sizeof(*file->lines));
	if (!file->lines)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		uint64_t line = found[i].source->line;

		file->n += found[i].row->numbers->n;
		file->period += found[i].row->numbers->period;
		add_lines(file, 0, reach < line ? reach : line);
		if (is_enough(report, found[i].row, percent)) {
			add_lines(file, line > around ? line - around : 1, line);
			reach = line + around;
		}
		if (line <= reach) {
			file->lines[file->n_lines - 1].n += found[i].row->numbers->n;
			file->lines[file->n_lines - 1].period += found[i].row->numbers->period;
		}
	}
	add_lines(file, 0, reach);
	return 0;
}

int sources__find(struct sources *ret, const struct report *report, const struct resolved *resolved,
	double percent, uint32_t around)
{
	size_t n, of;
	struct found *found = find_rows(report, resolved, &n);

	*ret = (struct sources){.files = calloc(n + 1, sizeof(*ret->files))};
	if (!found || !ret->files)
		goto failed;
	for (size_t i = 0; i < n; i += of) {
		struct source_file *file = &ret->files[ret->n];

		for (of = 1; i + of < n && !compare_files(&found[i], &found[i + of]);)
			of++;
		if (fill(file, report, found + i, of, percent, around))
			goto failed;
		if (file->n_lines)
			ret->n++;
		else
			free(file->lines);
	}
	qsort(ret->files, ret->n, sizeof(*ret->files), by_time);
	free(found);
	return 0;
failed:
	free(found);
	sources__free(ret);
	return -ENOMEM;
}

void sources__free(struct sources *sources)
{
	for (size_t i = 0; i < sources->n; i++) {
		for (size_t k = 0; k < sources->files[i].n_lines; k++)
			free(sources->files[i].lines[k].text);
		free(sources->files[i].lines);
	}
	free(sources->files);
	*sources = (struct sources){0};
}
