// SPDX-License-Identifier: GPL-2.0-only
/* Decides which rows of a report are shown, and computes their shares: see private.h. */
#include "user/view/report/private.h"

double report_view__percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

double report_view__percent_of_latency(double part, double whole)
{
	return whole > 0 ? 100.0 * part / whole : 0.0;
}

bool report_view__is_shown(const struct report_view *view, const struct report_row *row)
{
	uint64_t part = view->options->children ? row->children_period : row->period;
	uint64_t total = report__total_period(view->report, row->event);

	return (row->n || row->children_n) &&
	       report_view__percent(part, total) >= view->percent_limit;
}

bool report_view__has_key(const struct report_view *view, enum report_key key)
{
	for (size_t i = 0; i < view->options->n_keys; i++)
		if (view->options->keys[i] == key)
			return true;
	return false;
}
