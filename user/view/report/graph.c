// SPDX-License-Identifier: GPL-2.0-only
/*
 * The call graph below a row, as `perf report --stdio -g caller' or callee draws it. A function is
 * written directly below another if there is no branch between them. If there are several callers
 * or callees, or a part of the samples ends, each has a branch with its percentage of the event.
 */
#include <inttypes.h>

#include "user/view/format/escaped.h"
#include "user/view/report/private.h"
#include "user/view/report/report.h"

#define DEPTH_MAX 63 /* nested branches; deeper ones are shown as "[...]" */
#define MARGIN 12

struct drawing {
	FILE *out;
	const struct report_view *view;
	const struct call_graph *graph;
	uint64_t total; /* period of the event */
	double least;   /* branches below this are skipped */
	int margin;
	uint64_t lines; /* one bit for each depth whose vertical line continues */
};

static const struct call_node *first_child(
	const struct drawing *drawing, const struct call_node *node)
{
	return node->child == SAMPLES_NONE ? NULL : call_graph__node(drawing->graph, node->child);
}

/* Returns the next sibling, or NULL if it is below the limit. Siblings are sorted. */
static const struct call_node *next_shown(
	const struct drawing *drawing, const struct call_node *node)
{
	const struct call_node *next;

	if (node->next == SAMPLES_NONE)
		return NULL;
	next = call_graph__node(drawing->graph, node->next);
	return (double)next->period >= drawing->least ? next : NULL;
}

static void write_function(const struct drawing *drawing, uint32_t number)
{
	const struct report_view *view = drawing->view;
	const struct function *function = report__function(view->report, number);
	const struct resolved *resolved = &view->resolved[function->place];
	char dso[256];

	if (function->inlined) {
		escaped__write(drawing->out, function->inlined);
		fputs(REPORT_INLINED, drawing->out);
	} else if (resolved->name) {
		escaped__write(drawing->out, resolved->name);
	} else {
		report_view__nameless(drawing->out, view, function->place, false);
		fputs(" (", drawing->out);
		escaped__write(
			drawing->out, report_view__dso(view, function->place, dso, sizeof(dso)));
		fputc(')', drawing->out);
	}
	if (report_view__has_key(view, REPORT_SRCLINE) && resolved->srcline) {
		fputc(' ', drawing->out);
		escaped__write(drawing->out, resolved->srcline);
	}
	fputc('\n', drawing->out);
}

static void write_margin(const struct drawing *drawing)
{
	fprintf(drawing->out, "%*s", drawing->margin, "");
}

static void write_lines(const struct drawing *drawing, int depth, uint64_t lines)
{
	write_margin(drawing);
	for (int i = 0; i < depth; i++)
		fputs(lines & 1ull << i ? "|          " : "           ", drawing->out);
}

/* Writes @node and the functions below it up to the next branch. Returns the last of these. */
static const struct call_node *write_part(
	const struct drawing *drawing, const struct call_node *node, int depth, bool branch)
{
	for (;; branch = false) {
		if (branch) {
			/* The vertical line above shows where the branch begins. */
			write_lines(drawing, depth - 1, drawing->lines);
			fprintf(drawing->out, "%c--%.2f%%--",
				drawing->lines & 1ull << (depth - 1) ? '|' : ' ',
				report_view__percent(node->period, drawing->total));
		} else {
			write_lines(drawing, depth, drawing->lines);
		}
		write_function(drawing, node->function);
		if (node->own || node->n_children != 1)
			return node;
		node = first_child(drawing, node);
	}
}

/* Writes @node and its siblings at this depth, which is at least 1. */
static void write_branches(struct drawing *drawing, const struct call_node *node, int depth)
{
	uint64_t bit = 1ull << (depth - 1);
	uint32_t n = 0;

	if (node && (double)node->period < drawing->least)
		node = NULL;
	if (node && depth > DEPTH_MAX) {
		write_lines(drawing, depth - 1, drawing->lines);
		fputs("[...]\n", drawing->out);
		return;
	}
	while (node && !ferror(drawing->out)) {
		const struct call_node *next = next_shown(drawing, node), *end;

		if (++n == drawing->view->graph_branches)
			next = NULL;
		drawing->lines |= bit;
		write_lines(drawing, depth, drawing->lines);
		fputc('\n', drawing->out);
		/* The vertical line ends at the last branch. */
		if (!next)
			drawing->lines &= ~bit;
		end = write_part(drawing, node, depth, true);
		write_branches(drawing, first_child(drawing, end), depth + 1);
		node = next;
	}
	drawing->lines &= ~bit;
}

static bool is_of_row(const struct report_view *view, uint32_t number, const struct report_row *row)
{
	const struct function *function = report__function(view->report, number);

	return function->place == row->place && !function->inlined == !row->inlined;
}

/* Writes the functions that all samples of the row share, without percentages. */
static const struct call_node *write_trunk(
	struct drawing *drawing, const struct call_node *node, const struct report_row *row)
{
	const struct report_options *options = drawing->view->options;
	uint64_t period = options->children ? row->numbers->children_period : row->numbers->period;
	bool by_symbol = options->n_keys && options->keys[0] == REPORT_SYM, first = true;

	if (!node || node->next != SAMPLES_NONE || node->period != period)
		return node;
	for (bool last = false; !last; node = first_child(drawing, node)) {
		last = node->own || node->n_children != 1;
		/* The row itself already shows this name. */
		if (!by_symbol || !is_of_row(drawing->view, node->function, row)) {
			write_margin(drawing);
			if (first)
				fprintf(drawing->out, "|\n%*s---", drawing->margin, "");
			if (first)
				drawing->margin += 3;
			first = false;
			write_function(drawing, node->function);
		}
		by_symbol = false;
	}
	return node;
}

void report_view__graph(FILE *out, const struct report_view *view, size_t i)
{
	const struct report_row *row = report__row(view->report, i);
	const struct report_options *options = view->options;
	const struct call_graph *graph = report__graph(view->report, i);
	uint64_t total = report__total_period(view->report, row->event);
	struct drawing drawing = {
		.out = out,
		.view = view,
		.graph = graph,
		.total = total,
		.least = (double)total * options->graph_limit / 100,
		.margin = MARGIN,
	};
	const struct call_node *node;

	if (!graph)
		return;
	node = first_child(&drawing, call_graph__root(graph));
	node = write_trunk(&drawing, node, row);
	write_branches(&drawing, node, 1);
	fputc('\n', out);
}
