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
	size_t first, end; /* its rows, in .rows */
	uint64_t n, period;
	double latency;
	double by; /* the value by which nodes are sorted */
};

struct hierarchy {
	FILE *out;
	const struct report_view *view;
	const struct labels *labels;
	const struct report_row **rows;
	uint64_t total;
	double total_latency;
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

static int compare(const void *a, const void *b)
{
	const struct node *x = a, *y = b;

	if (x->by != y->by)
		return x->by > y->by ? -1 : 1;
	if (x->period != y->period)
		return x->period > y->period ? -1 : 1;
	return strcmp(x->text, y->text);
}

static void write_node(const struct hierarchy *hierarchy, const struct node *node, size_t level)
{
	double shares[] = {report_view__percent(node->period, hierarchy->total),
		report_view__percent_of_latency(node->latency, hierarchy->total_latency)};
	bool first = hierarchy->view->options->by_latency;

	fprintf(hierarchy->out, "%*s%9.2f%%", (int)level * INDENT, "", shares[first]);
	if (hierarchy->view->show_latency)
		fprintf(hierarchy->out, "  %8.2f%%", shares[!first]);
	if (hierarchy->view->show_n)
		fprintf(hierarchy->out, "  %10" PRIu64, node->n);
	if (hierarchy->view->show_period)
		fprintf(hierarchy->out, "  %12" PRIu64, node->period);
	fprintf(hierarchy->out, "  %s\n", node->text);
}

static int write_level(struct hierarchy *hierarchy, size_t first, size_t end, size_t level);

/* Writes @node, and the nodes below it. The rows of a node are adjacent. */
static int write_below(struct hierarchy *hierarchy, const struct node *node, size_t level)
{
	const struct report_view *view = hierarchy->view;

	if (report_view__percent(node->period, hierarchy->total) < view->percent_limit)
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

/* Makes one node of all rows with the same text. The node owns the text. */
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
			*node = (struct node){.text = at->text, .first = i};
		}
		hierarchy->rows[i] = at->row;
		node->end = i + 1;
		node->n += at->row->n;
		node->period += at->row->period;
		node->latency += at->row->latency;
		if (hierarchy->view->options->by_latency)
			node->by = node->latency;
	}
	free(labelled);
	return 0;
}

static int write_level(struct hierarchy *hierarchy, size_t first, size_t end, size_t level)
{
	struct node *nodes = calloc(end - first + 1, sizeof(*nodes));
	size_t n = 0;
	int err = nodes ? group(hierarchy, first, end, level, nodes, &n) : -ENOMEM;

	if (!err && n)
		qsort(nodes, n, sizeof(*nodes), compare);
	for (size_t i = 0; i < n; i++) {
		if (!err)
			err = write_below(hierarchy, &nodes[i], level);
		free(nodes[i].text);
	}
	free(nodes);
	return err;
}

static void write_titles(FILE *out, const struct report_view *view)
{
	bool first = view->options->by_latency;

	fprintf(out, "# %8s", first ? "Latency" : "Overhead");
	if (view->show_latency)
		fprintf(out, "  %9s", first ? "Overhead" : "Latency");
	if (view->show_n)
		fprintf(out, "  %10s", "Samples");
	if (view->show_period)
		fprintf(out, "  %12s", "Period");
	for (size_t i = 0; i < view->options->n_keys; i++)
		fprintf(out, "%s%s", i ? " / " : "  ",
			report_view__title(view, view->options->keys[i]));
	fputs("\n#\n", out);
}

int report_view__hierarchy(
	FILE *out, const struct report_view *view, const struct labels *labels, uint32_t event)
{
	struct hierarchy hierarchy = {
		.out = out,
		.view = view,
		.labels = labels,
		.total = report__total_period(view->report, event),
		.total_latency = report__total_latency(view->report, event),
	};
	size_t n = 0;
	int err;

	hierarchy.rows = calloc(report__n_rows(view->report) + 1, sizeof(*hierarchy.rows));
	if (!hierarchy.rows)
		return -ENOMEM;
	for (size_t i = 0; i < report__n_rows(view->report); i++) {
		const struct report_row *row = report__row(view->report, i);

		if (row->event == event && row->n)
			hierarchy.rows[n++] = row;
	}
	if (!view->quiet) {
		report_view__heading(out, view, event);
		write_titles(out, view);
	}
	err = write_level(&hierarchy, 0, n, 0);
	fputc('\n', out);
	free(hierarchy.rows);
	return err;
}
