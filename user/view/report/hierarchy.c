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

static int compare_numbers(
	const struct report_numbers *a, const struct report_numbers *b, bool by_latency)
{
	if (by_latency)
		return (a->latency < b->latency) - (a->latency > b->latency);
	return (a->period < b->period) - (a->period > b->period);
}

/* Event by event of a group; the one that was asked for decides first. */
static int compare_nodes(const struct hierarchy *hierarchy, const struct node *a,
	const struct node *b, bool by_latency)
{
	uint32_t first = hierarchy->view->options->group_sort;
	int result = 0;

	if (first < hierarchy->n_members)
		result = compare_numbers(&a->numbers[first], &b->numbers[first], by_latency);
	for (uint32_t i = 0; i < hierarchy->n_members && !result; i++)
		result = compare_numbers(&a->numbers[i], &b->numbers[i], by_latency);
	return result;
}

static int compare(const void *a, const void *b, void *ctx)
{
	const struct hierarchy *hierarchy = ctx;
	const struct node *x = a, *y = b;
	int result = 0;

	if (hierarchy->view->options->by_latency)
		result = compare_nodes(hierarchy, x, y, true);
	if (!result)
		result = compare_nodes(hierarchy, x, y, false);
	return result ? result : strcmp(x->text, y->text);
}

static uint64_t total_of(const struct hierarchy *hierarchy, uint32_t event)
{
	const struct report *report = hierarchy->view->report;

	return event < report__n_events(report) ? report__total_period(report, event) : 0;
}

static double latency_of(const struct hierarchy *hierarchy, uint32_t event)
{
	const struct report *report = hierarchy->view->report;

	return event < report__n_events(report) ? report__total_latency(report, event) : 0;
}

/* A column: a number for each event, side by side. */
static void write_column(
	const struct hierarchy *hierarchy, const struct node *node, enum report_key column)
{
	FILE *out = hierarchy->out;
	bool first = true;

	for (uint32_t i = 0; i < hierarchy->n_members; i++) {
		const struct report_numbers *numbers = &node->numbers[i];
		uint32_t event = hierarchy->event + i;

		if (!report_view__has_column(hierarchy->view, event))
			continue;
		fputs(first ? "" : " ", out);
		first = false;
		if (column == REPORT_OVERHEAD)
			fprintf(out, "%8.2f%%",
				report_view__percent(numbers->period, total_of(hierarchy, event)));
		else if (column == REPORT_LATENCY)
			fprintf(out, "%8.2f%%",
				report_view__percent_of_latency(
					numbers->latency, latency_of(hierarchy, event)));
		else if (column == REPORT_SAMPLES)
			fprintf(out, "%10" PRIu64, numbers->n);
		else
			fprintf(out, "%12" PRIu64, numbers->period);
	}
}

static void write_node(const struct hierarchy *hierarchy, const struct node *node, size_t level)
{
	const struct report_view *view = hierarchy->view;
	const enum report_key shares[] = {REPORT_OVERHEAD, REPORT_LATENCY};
	bool first = view->options->by_latency;

	fprintf(hierarchy->out, "%*s ", (int)level * INDENT, "");
	write_column(hierarchy, node, shares[first]);
	if (view->show_latency) {
		fputs("  ", hierarchy->out);
		write_column(hierarchy, node, shares[!first]);
	}
	if (view->show_n) {
		fputs("  ", hierarchy->out);
		write_column(hierarchy, node, REPORT_SAMPLES);
	}
	if (view->show_period) {
		fputs("  ", hierarchy->out);
		write_column(hierarchy, node, REPORT_PERIOD);
	}
	fprintf(hierarchy->out, "  %s\n", node->text);
}

static int write_level(struct hierarchy *hierarchy, size_t first, size_t end, size_t level);

/* Writes @node, and the nodes below it. The rows of a node are adjacent. */
static int write_below(struct hierarchy *hierarchy, const struct node *node, size_t level)
{
	const struct report_view *view = hierarchy->view;

	if (report_view__percent(node->numbers->period, total_of(hierarchy, hierarchy->event)) <
		view->percent_limit)
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
	bool first = view->options->by_latency;
	FILE *out = hierarchy->out;

	fputs("#", out);
	write_title(hierarchy, first ? "Latency" : "Overhead", 9);
	if (view->show_latency) {
		fputs("  ", out);
		write_title(hierarchy, first ? "Overhead" : "Latency", 9);
	}
	if (view->show_n) {
		fputs("  ", out);
		write_title(hierarchy, "Samples", 10);
	}
	if (view->show_period) {
		fputs("  ", out);
		write_title(hierarchy, "Period", 12);
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
