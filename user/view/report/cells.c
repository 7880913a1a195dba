// SPDX-License-Identifier: GPL-2.0-only
/* The texts of a row's columns: see private.h. Does not know the layout. */
#include <inttypes.h>

#include "user/view/format/escaped.h"
#include "user/view/report/private.h"
#include "user/view/report/report.h"

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_US 1000
/* Of a group's numbers but the first, as in perf. */
#define SHARE_WIDTH 6
#define NUMBER_WIDTH 11

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
	[REPORT_TIME] = "Time",
	[REPORT_SRCFILE] = "Source File",
	[REPORT_PARENT] = "Parent symbol",
	[REPORT_PARALLELISM] = "Parallelism",
	[REPORT_CHILDREN] = "Children",
	[REPORT_OVERHEAD] = "Overhead",
	[REPORT_LATENCY_CHILDREN] = "Latency",
	[REPORT_LATENCY] = "Latency",
	[REPORT_SAMPLES] = "Samples",
	[REPORT_PERIOD] = "Period",
};

const char *report_view__title(const struct report_view *view, enum report_key column)
{
	return column == REPORT_OVERHEAD && view->options->children ? "Self" : TITLES[column];
}

bool report_view__is_number(enum report_key column)
{
	return column == REPORT_PID || column == REPORT_TID || column == REPORT_CPU ||
	       column == REPORT_TIME || column == REPORT_PARALLELISM || column >= REPORT_KEYS;
}

/*
 * Adds the column of @share, and its counterpart of latency. As in perf, latency comes first if
 * rows are sorted by it.
 */
static size_t add_shares(const struct report_view *view, enum report_key share,
	enum report_key latency, enum report_key *ret)
{
	bool first = view->options->by_latency;

	if (!view->show_latency) {
		ret[0] = share;
		return 1;
	}
	ret[first ? 1 : 0] = share;
	ret[first ? 0 : 1] = latency;
	return 2;
}

size_t report_view__columns(const struct report_view *view, enum report_key *ret)
{
	const struct report_options *options = view->options;
	size_t n = 0;

	for (; n < view->n_columns; n++)
		ret[n] = view->columns[n];
	if (n)
		return n;
	if (options->children)
		n += add_shares(view, REPORT_CHILDREN, REPORT_LATENCY_CHILDREN, ret + n);
	n += add_shares(view, REPORT_OVERHEAD, REPORT_LATENCY, ret + n);
	if (view->show_n)
		ret[n++] = REPORT_SAMPLES;
	if (view->show_period)
		ret[n++] = REPORT_PERIOD;
	for (size_t i = 0; i < options->n_keys; i++)
		ret[n++] = options->keys[i];
	return n;
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

/* As in perf: in seconds; with --ns, all digits. */
static void write_time(FILE *out, const struct report_view *view, uint64_t time_ns)
{
	uint64_t rest = time_ns % NS_PER_S;

	fprintf(out, "%" PRIu64, time_ns / NS_PER_S);
	if (view->ns)
		fprintf(out, ".%09" PRIu64, rest);
	else
		fprintf(out, ".%06" PRIu64, rest / NS_PER_US);
}

/* What a row has of one event. */
static void write_number(FILE *out, const struct report_view *view, uint32_t event,
	const struct report_numbers *numbers, enum report_key column, int width)
{
	uint64_t total = report__total_period(view->report, event);
	double latency = report__total_latency(view->report, event), share;

	if (column == REPORT_CHILDREN)
		share = report_view__percent(numbers->children_period, total);
	else if (column == REPORT_OVERHEAD)
		share = report_view__percent(numbers->period, total);
	else if (column == REPORT_LATENCY_CHILDREN)
		share = report_view__percent_of_latency(numbers->children_latency, latency);
	else if (column == REPORT_LATENCY)
		share = report_view__percent_of_latency(numbers->latency, latency);
	else {
		fprintf(out, "%*" PRIu64, width,
			column == REPORT_SAMPLES ? numbers->n : numbers->period);
		return;
	}
	fprintf(out, "%*.2f%%", width, share);
}

void report_view__numbers(FILE *out, const struct report_view *view, uint32_t event,
	const struct report_numbers *numbers, enum report_key column, int first_width, int width)
{
	uint32_t n = report_view__n_members(view, event);
	bool first = true;

	for (uint32_t i = 0; i < n; i++) {
		if (!report_view__has_column(view, event + i))
			continue;
		fputs(first ? "" : " ", out);
		write_number(
			out, view, event + i, &numbers[i], column, first ? first_width : width);
		first = false;
	}
}

/* The table aligns the first number of a cell. */
static void write_numbers(FILE *out, const struct report_view *view, const struct report_row *row,
	enum report_key column)
{
	bool counts = column == REPORT_SAMPLES || column == REPORT_PERIOD;
	int width = counts ? NUMBER_WIDTH : SHARE_WIDTH;

	report_view__numbers(
		out, view, row->event, row->numbers, column, 0, view->separator ? 0 : width);
}

void report_view__cell(FILE *out, const struct report_view *view, const struct labels *labels,
	const struct report_row *row, enum report_key column)
{
	const char *file;

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
		report_view__write_dso(out, view, labels, row->place);
		break;
	case REPORT_SYM:
		report_view__symbol(out, view, row->place, row->inlined);
		break;
	case REPORT_SRCLINE:
		write_srcline(out, view, row->place);
		break;
	case REPORT_SRCFILE:
		file = report__srcfile(view->report, row->place);
		escaped__write(out, file ? file : "");
		break;
	case REPORT_BUILD_ID:
		report_view__write_build_id(out, view, row->place, SIZE_MAX >> 40);
		break;
	case REPORT_CPU:
		fprintf(out, "%03d", (int)row->cpu);
		break;
	case REPORT_PARALLELISM:
		fprintf(out, "%d", (int)row->parallelism);
		break;
	case REPORT_CGROUP:
		write_cgroup(out, view, row->cgroup);
		break;
	case REPORT_TIME:
		write_time(out, view, row->time_ns);
		break;
	case REPORT_PARENT:
		escaped__write(out, row->parent ? row->parent : "[other]");
		break;
	default:
		write_numbers(out, view, row, column);
		break;
	}
}
