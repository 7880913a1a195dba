/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by text, JSON and folded output of a comparison. */
#ifndef PERFSTAMP_VIEW_DIFF_PRIVATE_H
#define PERFSTAMP_VIEW_DIFF_PRIVATE_H

#include "user/view/diff/diff.h"

#define DIFF_NAME_MAX 4096 /* bytes of a name that is shown */

/* How values are shown: multiplied by .factor, and followed by a unit. */
struct diff_scale {
	double factor;
	int decimals;
	const char *unit;
};

struct diff_scale diff_view__scale(enum per_unit per);
/* Whether it is marked, or above the limit on one side. */
bool diff_view__is_shown(const struct diff_view *view, const struct difference *difference);
/* The unit of the function to which @unit belongs. */
const struct unit *diff_view__function(const struct diff_view *view, const struct unit *unit);
/* The DSO of a function on this side; NULL: it does not exist there. */
const char *diff_view__dso(
	const struct diff_view *view, const struct unit *function, enum comparison_side side);
const char *diff_view__text_at(const struct diff_view *view, uint32_t text);

#endif
