/* SPDX-License-Identifier: GPL-2.0-only */
/* The order of a report's rows. A part of report. */
#ifndef PERFSTAMP_MODEL_ROW_ORDER_H
#define PERFSTAMP_MODEL_ROW_ORDER_H

#include "user/model/profile/functions.h"
#include "user/model/profile/rows.h"

struct row_order {
	const struct functions *functions;
	const struct samples *samples;
	struct model *model;
	const struct resolved *resolved;
	const struct report_options *options;
};

/*
 * Compares the values of two rows in a column of numbers, like strcmp(). For a group, it compares
 * the values of one event after the other, that of .group_sort first. The larger number is first.
 */
int row_order__compare_numbers(const struct report_options *options, uint32_t event,
	enum report_key by, const struct report_numbers *a, const struct report_numbers *b);
/* Like strcmp(): below 0 if @a is before @b. */
int row_order__compare(
	const struct row_order *order, const struct report_row *a, const struct report_row *b);

#endif
