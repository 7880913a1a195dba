// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_view__hierarchy: see private.h. As `perf report --hierarchy --stdio': one level for each
 * key. Each row is below the row of which it is a part, and those with the largest share come
 * first.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/profile/row_order.h"
#include "user/view/report/private.h"
#include "user/view/report/report.h"

#define INDENT 3

struct node {
	char *text;
	size_t first, end;              /* its rows, in .rows */
	struct report_numbers *numbers; /* of each event of the group */
};

struct hierarchy {
	FILE *out;
	const struct report_view *view;
	const struct labels *labels;
	const struct report_row **rows;
	uint32_t event;
	uint32_t n_members;
};

static char *text_of(
	const struct hierarchy *hierarchy, const struct report_row *row, enum report_key key)
{
	char *text = NULL;
	size_t size;
	FILE *cell = open_memstream(&text, &size);

	if (!cell)
		return NULL;
	report_view__cell(cell, hierarchy->view, hierarchy->labels, row, key);
	fclose(cell);
	return text;
}

struct labelled {
	const struct report_row *row;
	char *text;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct labelled *)a)->text, ((const struct labelled *)b)->text);
}

static int compare(const void *a, const void *b, void *ctx)
{
	const struct hierarchy *hierarchy = ctx;
	const struct report_options *options = hierarchy->view->options;
	const struct node *x = a, *y = b;
	int result = 0;

	if (options->by_latency)
		result = row_order__compare_numbers(
			options, hierarchy->event, REPORT_LATENCY, x->numbers, y->numbers);
	if (!result)
		result = row_order__compare_numbers(
			options, hierarchy->event, REPORT_OVERHEAD, x->numbers, y->numbers);
	return result ? result : strcmp(x->text, y->text);
}

struct column {
	enum report_key key;
	const char *title;
	int width;       /* of a number, of shares without the percent sign */
	int title_width; /* of one event's */
};

#define COLUMNS_MAX 4

/* The columns of numbers. Returns how many there are. */
static size_t list_columns(const struct report_view *view, struct column *ret)
{
	static const struct column SHARES[] = {
		{REPORT_OVERHEAD, "Overhead", 8, 9}, {REPORT_LATENCY, "Latency", 8, 9}};
	bool first = view->options->by_latency;
	size_t n = 0;

	ret[n++] = SHARES[first];
	if (view->show_latency)
		ret[n++] = SHARES[!first];
	if (view->show_n)
		ret[n++] = (struct column){REPORT_SAMPLES, "Samples", 10, 10};
	if (view->show_period)
		ret[n++] = (struct column){REPORT_PERIOD, "Period", 12, 12};
	return n;
}

static void write_node(const struct hierarchy *hierarchy, const struct node *node, size_t level)
{
	struct column columns[COLUMNS_MAX];
	size_t n = list_columns(hierarchy->view, columns);

	fprintf(hierarchy->out, "%*s ", (int)level * INDENT, "");
	for (size_t i = 0; i < n; i++) {
		fputs(i ? "  " : "", hierarchy->out);
		report_view__numbers(hierarchy->out, hierarchy->view, hierarchy->event,
			node->numbers, columns[i].key, columns[i].width, columns[i].width);
	}
	fprintf(hierarchy->out, "  %s\n", node->text);
}

static int write_level(struct hierarchy *hierarchy, size_t first, size_t end, size_t level);

/* Writes @node, and the nodes below it. The rows of a node are adjacent. */
static int write_below(struct hierarchy *hierarchy, const struct node *node, size_t level)
{
	const struct report_view *view = hierarchy->view;

	if (report_view__percent(node->numbers->period,
		    report__total_period(view->report, hierarchy->event)) < view->percent_limit)
		return 0;
	write_node(hierarchy, node, level);
	return level + 1 < view->options->n_keys
		       ? write_level(hierarchy, node->first, node->end, level + 1)
		       : 0;
}

/* Returns the rows with their texts, sorted by text. NULL if memory is exhausted. */
static struct labelled *label(
	const struct hierarchy *hierarchy, size_t first, size_t n, enum report_key key)
{
	struct labelled *labelled = calloc(n + 1, sizeof(*labelled));
	bool failed = !labelled;

	for (size_t i = 0; i < n && !failed; i++) {
		labelled[i].row = hierarchy->rows[first + i];
		labelled[i].text = text_of(hierarchy, labelled[i].row, key);
		failed = !labelled[i].text;
	}
	if (!failed) {
		qsort(labelled, n, sizeof(*labelled), by_text);
		return labelled;
	}
	for (size_t i = 0; labelled && i < n; i++)
		free(labelled[i].text);
	free(labelled);
	return NULL;
}

static void add_numbers(
	const struct hierarchy *hierarchy, struct node *node, const struct report_row *row)
{
	for (uint32_t i = 0; i < hierarchy->n_members; i++) {
		node->numbers[i].n += row->numbers[i].n;
		node->numbers[i].period += row->numbers[i].period;
		node->numbers[i].latency += row->numbers[i].latency;
	}
}

/*
 * Makes one node of all rows with the same text. The node owns the text; @nodes have room for their
 * numbers.
 */
static int group(struct hierarchy *hierarchy, size_t first, size_t end, size_t level,
	struct node *nodes, size_t *ret_n)
{
	struct labelled *labelled = label(
		hierarchy, first, end - first, hierarchy->view->options->keys[level]);
	struct node *node = NULL;

	if (!labelled)
		return -ENOMEM;
	for (size_t i = first; i < end; i++) {
		const struct labelled *at = &labelled[i - first];

		if (node && !strcmp(node->text, at->text)) {
			free(at->text);
		} else {
			node = &nodes[(*ret_n)++];
			node->text = at->text;
			node->first = i;
		}
		hierarchy->rows[i] = at->row;
		node->end = i + 1;
		add_numbers(hierarchy, node, at->row);
	}
	free(labelled);
	return 0;
}

static int write_level(struct hierarchy *hierarchy, size_t first, size_t end, size_t level)
{
	size_t most = end - first, n = 0;
	struct node *nodes = calloc(most + 1, sizeof(*nodes));
	struct report_numbers *numbers = calloc(most + 1, hierarchy->n_members * sizeof(*numbers));
	int err = nodes && numbers ? 0 : -ENOMEM;

	for (size_t i = 0; i < most && !err; i++)
		nodes[i].numbers = numbers + i * hierarchy->n_members;
	if (!err)
		err = group(hierarchy, first, end, level, nodes, &n);
	if (!err && n)
		qsort_r(nodes, n, sizeof(*nodes), compare, hierarchy);
	for (size_t i = 0; i < n; i++) {
		if (!err)
			err = write_below(hierarchy, &nodes[i], level);
		free(nodes[i].text);
	}
	free(nodes);
	free(numbers);
	return err;
}

/* At the right of the numbers below it. */
static void write_title(const struct hierarchy *hierarchy, const char *title, int width)
{
	int members = 0;

	for (uint32_t i = 0; i < hierarchy->n_members; i++)
		members += report_view__has_column(hierarchy->view, hierarchy->event + i);

	fprintf(hierarchy->out, "%*s", members * width + members - 1, title);
}

static void write_titles(const struct hierarchy *hierarchy)
{
	const struct report_view *view = hierarchy->view;
	struct column columns[COLUMNS_MAX];
	size_t n = list_columns(view, columns);
	FILE *out = hierarchy->out;

	fputs("#", out);
	for (size_t i = 0; i < n; i++) {
		fputs(i ? "  " : "", out);
		write_title(hierarchy, columns[i].title, columns[i].title_width);
	}
	for (size_t i = 0; i < view->options->n_keys; i++)
		fprintf(out, "%s%s", i ? " / " : "  ",
			report_view__title(view, view->options->keys[i]));
	fputs("\n#\n", out);
}

/* Rows of callers alone are in no level. */
static bool has_own(const struct hierarchy *hierarchy, const struct report_row *row)
{
	for (uint32_t i = 0; i < hierarchy->n_members; i++)
		if (row->numbers[i].n)
			return true;
	return false;
}

int report_view__hierarchy(
	FILE *out, const struct report_view *view, const struct labels *labels, uint32_t event)
{
	struct hierarchy hierarchy = {
		.out = out,
		.view = view,
		.labels = labels,
		.event = event,
		.n_members = report_view__n_members(view, event),
	};
	size_t n = 0;
	int err;

	hierarchy.rows = calloc(report__n_rows(view->report) + 1, sizeof(*hierarchy.rows));
	if (!hierarchy.rows)
		return -ENOMEM;
	for (size_t i = 0; i < report__n_rows(view->report); i++) {
		const struct report_row *row = report__row(view->report, i);

		if (row->event == event && has_own(&hierarchy, row))
			hierarchy.rows[n++] = row;
	}
	if (!view->quiet) {
		report_view__heading(out, view, event);
		write_titles(&hierarchy);
	}
	err = write_level(&hierarchy, 0, n, 0);
	fputc('\n', out);
	free(hierarchy.rows);
	return err;
}
