// SPDX-License-Identifier: GPL-2.0-only
/* See diff.h and private.h. */
#include "user/view/diff/private.h"

const char *diff_view__kind(enum difference_kind kind)
{
	static const char *const NAMES[DIFFERENCE_KINDS] = {
		[DIFFERENCE_NEW] = "new",
		[DIFFERENCE_GONE] = "gone",
		[DIFFERENCE_INLINED] = "inlined",
		[DIFFERENCE_OUTLINED] = "outlined",
		[DIFFERENCE_MOVED] = "moved",
	};

	return NAMES[kind];
}

const char *diff_view__per(enum per_unit per)
{
	static const char *const NAMES[] = {
		[PER_PROCESS] = "process",
		[PER_DSO] = "dso",
		[PER_SECOND] = "second",
		[PER_EVENT] = "event",
	};

	return NAMES[per];
}

struct diff_scale diff_view__scale(enum per_unit per)
{
	switch (per) {
	case PER_SECOND:
		return (struct diff_scale){1, 4, "s"};
	case PER_EVENT:
		return (struct diff_scale){1e-3, 3, "us"};
	case PER_PROCESS:
	case PER_DSO:
		break;
	}
	return (struct diff_scale){100, 2, "%"};
}

bool diff_view__is_shown(const struct diff_view *view, const struct difference *difference)
{
	const struct unit *unit = &view->comparison->units[difference->unit];

	if (difference->marked)
		return true;
	for (int side = 0; side < SIDES; side++)
		if (unit->sides[side].weight > 0 &&
			100 * unit->sides[side].weight >=
				view->percent_limit * view->comparison->totals[side].weight)
			return true;
	return false;
}

const struct unit *diff_view__function(const struct diff_view *view, const struct unit *unit)
{
	return unit->kind == UNIT_FUNCTION ? unit : &view->comparison->units[unit->a];
}

const char *diff_view__text_at(const struct diff_view *view, uint32_t text)
{
	return text == COMPARISON_NONE ? NULL : comparison__at(view->comparison, text);
}

const char *diff_view__dso(
	const struct diff_view *view, const struct unit *function, enum comparison_side side)
{
	if (side == BEFORE && function->moved_from != COMPARISON_NONE)
		return diff_view__text_at(view, function->moved_from);
	return diff_view__text_at(view, function->a);
}
