/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by text, JSON and folded output of a comparison. */
#ifndef PERFSTAMP_VIEW_DIFF_PRIVATE_H
#define PERFSTAMP_VIEW_DIFF_PRIVATE_H

#include "user/view/diff/diff.h"

#define DIFF_NAME_MAX 4096 /* bytes of a name that is shown */

/* How values are shown: multiplied, followed by a unit. */
struct diff_scale {
	double factor;
	int decimals;
	const char *unit;
};

struct diff_scale diff_view__scale(enum per_unit per);
/* Marked, or above the limit on one side. */
bool diff_view__is_shown(const struct diff_view *view, const struct difference *difference);
/* The unit of a function, or of what belongs to it. */
const struct unit *diff_view__function(const struct diff_view *view, const struct unit *unit);
/* The DSOs of a function before and after; NULL: none. */
const char *diff_view__dso(
	const struct diff_view *view, const struct unit *function, enum comparison_side side);
const char *diff_view__text_at(const struct diff_view *view, uint32_t text);

#endif
