// SPDX-License-Identifier: GPL-2.0-only
/* row_order: see row_order.h. Rows of one event are together. */
#include "user/model/profile/row_order.h"

#include <string.h>

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_shares(double a, double b)
{
	return a < b ? -1 : a > b;
}

/* Unknown texts are sorted to the end. */
static int compare_texts(const char *a, const char *b)
{
	if (!a || !b)
		return !a - !b;
	return strcmp(a, b);
}

static const char *name_of(const struct row_order *order, const struct report_row *row)
{
	const char *name = order->resolved[row->place].name;

	if (row->inlined)
		return row->inlined;
	return name ? name : "";
}

/* Compares the names of the files, then their paths. */
static int compare_dsos(
	const struct row_order *order, const struct report_row *a, const struct report_row *b)
{
	uint32_t x = samples__place(order->samples, a->place)->sighting;
	uint32_t y = samples__place(order->samples, b->place)->sighting;
	const char *p = x == SAMPLES_NONE ? "" : model__sighting(order->model, x)->path;
	const char *q = y == SAMPLES_NONE ? "" : model__sighting(order->model, y)->path;
	int result = strcmp(basename(p), basename(q));

	return result ? result : strcmp(p, q);
}

static const char *file_of(const struct row_order *order, const struct report_row *row)
{
	uint32_t file = functions__numbers(order->functions, row->place)->srcfile;

	return file == SAMPLES_NONE ? NULL : functions__text(order->functions, file);
}

static int compare_number(
	enum report_key by, const struct report_numbers *a, const struct report_numbers *b)
{
	switch (by) {
	case REPORT_LATENCY_CHILDREN:
		return compare_shares(b->children_latency, a->children_latency);
	case REPORT_LATENCY:
		return compare_shares(b->latency, a->latency);
	case REPORT_CHILDREN:
		return compare_numbers(b->children_period, a->children_period);
	case REPORT_SAMPLES:
		return compare_numbers(b->n, a->n);
	default:
		return compare_numbers(b->period, a->period);
	}
}

int row_order__compare_numbers(const struct report_options *options, uint32_t event,
	enum report_key by, const struct report_numbers *a, const struct report_numbers *b)
{
	const struct report_group *group = report_options__group(options, event);
	uint32_t n = group ? group->n : 1, first = options->group_sort;
	int result = 0;

	if (first < n)
		result = compare_number(by, &a[first], &b[first]);
	for (uint32_t i = 0; i < n && !result; i++)
		result = compare_number(by, &a[i], &b[i]);
	return result;
}

static int compare_by(const struct row_order *order, enum report_key by, const struct report_row *a,
	const struct report_row *b)
{
	switch (by) {
	case REPORT_COMM:
		return strcmp(samples__text(order->samples, a->comm),
			samples__text(order->samples, b->comm));
	case REPORT_PID:
		return compare_numbers(a->pid, b->pid);
	case REPORT_TID:
		return compare_numbers(a->tid, b->tid);
	case REPORT_DSO:
	case REPORT_BUILD_ID:
		return compare_dsos(order, a, b);
	case REPORT_SYM:
		return strcmp(name_of(order, a), name_of(order, b));
	case REPORT_SRCLINE:
		return compare_texts(
			order->resolved[a->place].srcline, order->resolved[b->place].srcline);
	case REPORT_SRCFILE:
		return compare_texts(file_of(order, a), file_of(order, b));
	case REPORT_CPU:
		return compare_numbers(a->cpu, b->cpu);
	case REPORT_CGROUP:
		return compare_numbers(a->cgroup, b->cgroup);
	case REPORT_TIME:
		return compare_numbers(a->time_ns, b->time_ns);
	case REPORT_PARENT:
		return compare_texts(a->parent, b->parent);
	case REPORT_PARALLELISM:
		return compare_numbers(a->parallelism, b->parallelism);
	case REPORT_COLUMNS:
		return 0;
	default:
		return row_order__compare_numbers(
			order->options, a->event, by, a->numbers, b->numbers);
	}
}

int row_order__compare(
	const struct row_order *order, const struct report_row *a, const struct report_row *b)
{
	const struct report_options *options = order->options;
	int result = compare_numbers(a->event, b->event);

	for (size_t i = 0; i < options->n_order && !result; i++)
		result = compare_by(order, options->order[i], a, b);
	if (!result && options->children && options->by_latency)
		result = compare_by(order, REPORT_LATENCY_CHILDREN, a, b);
	if (!result && options->children)
		result = compare_by(order, REPORT_CHILDREN, a, b);
	if (!result && options->by_latency)
		result = compare_by(order, REPORT_LATENCY, a, b);
	if (!result)
		result = compare_by(order, REPORT_OVERHEAD, a, b);
	if (!result)
		result = strcmp(name_of(order, a), name_of(order, b));
	return result ? result : compare_numbers(a->place, b->place);
}
