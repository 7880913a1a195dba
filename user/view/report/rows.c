// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decides which rows of a report are shown, computes their shares, and writes the lines above them:
 * see private.h.
 */
#include <inttypes.h>

#include "user/view/format/escaped.h"
#include "user/view/report/private.h"
#include "user/view/report/report.h"

double report_view__percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

double report_view__percent_of_latency(double part, double whole)
{
	return whole > 0 ? 100.0 * part / whole : 0.0;
}

uint32_t report_view__n_members(const struct report_view *view, uint32_t event)
{
	const struct report_group *group = report_options__group(view->options, event);

	return group ? group->n : 1;
}

bool report_view__has_column(const struct report_view *view, uint32_t event)
{
	return !report_options__group(view->options, event) || report__total_n(view->report, event);
}

bool report_view__is_leader(const struct report_view *view, uint32_t event)
{
	const struct report_group *group = report_options__group(view->options, event);

	return !group || group->first == event;
}

uint64_t report_view__samples(const struct report_view *view, uint32_t event)
{
	uint32_t n = report_view__n_members(view, event);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += report__total_n(view->report, event + i);
	return sum;
}

static uint64_t period_of(const struct report_view *view, uint32_t event)
{
	uint32_t n = report_view__n_members(view, event);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += report__total_period(view->report, event + i);
	return sum;
}

static void write_name(FILE *out, const struct report_view *view, uint32_t event)
{
	const char *name = event < view->n_events ? view->events[event] : NULL;

	escaped__write(out, name ? name : "unknown");
}

void report_view__event(FILE *out, const struct report_view *view, uint32_t event)
{
	const struct report_group *group = report_options__group(view->options, event);
	bool named = group && !group->forced, first = true;
	uint32_t n = group ? group->n : 1;

	fputs(group ? "events '" : "event '", out);
	if (named) {
		escaped__write(out, group->name ? group->name : "anon group");
		fputs(" { ", out);
	}
	for (uint32_t i = event; i < event + n; i++) {
		if (!report_view__has_column(view, i))
			continue;
		fputs(first ? "" : ", ", out);
		first = false;
		write_name(out, view, i);
	}
	fputs(named ? " }'" : "'", out);
}

void report_view__heading(FILE *out, const struct report_view *view, uint32_t event)
{
	fprintf(out, "# Samples: %" PRIu64 " of ", report_view__samples(view, event));
	report_view__event(out, view, event);
	fprintf(out, "\n# Event count (approx.): %" PRIu64 "\n#\n", period_of(view, event));
}

static bool has_samples(const struct report_view *view, const struct report_row *row)
{
	uint32_t n = report_view__n_members(view, row->event);

	for (uint32_t i = 0; i < n; i++)
		if (row->numbers[i].n || row->numbers[i].children_n)
			return true;
	return false;
}

/* As in perf, the limit is for the leader of a group. */
bool report_view__is_shown(const struct report_view *view, const struct report_row *row)
{
	uint64_t part = view->options->children ? row->numbers->children_period
						: row->numbers->period;
	uint64_t total = report__total_period(view->report, row->event);

	return has_samples(view, row) && report_view__percent(part, total) >= view->percent_limit;
}

bool report_view__has_key(const struct report_view *view, enum report_key key)
{
	for (size_t i = 0; i < view->options->n_keys; i++)
		if (view->options->keys[i] == key)
			return true;
	return false;
}
