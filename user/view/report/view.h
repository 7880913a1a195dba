/* SPDX-License-Identifier: GPL-2.0-only */
/* What is shown of a report: what all its forms are given. */
#ifndef PERFSTAMP_VIEW_REPORT_VIEW_H
#define PERFSTAMP_VIEW_REPORT_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/model.h"
#include "user/model/profile/report.h"

struct report_view {
	const struct report *report;
	const struct samples *samples;
	struct model *model;
	const struct resolved *resolved; /* one for each place */
	const struct report_options *options;
	const char *const *events; /* their names; NULL: not known */
	size_t n_events;
	double percent_limit; /* rows of less are left out */
	bool show_n;          /* a column of samples */
	bool graph;           /* call graphs below the rows; as JSON, all call chains */
	/* How many branches of a call graph are shown at one place; 0: all. */
	uint32_t graph_branches;
	const char *file; /* the recording, for commands that mend */
	bool debuginfod;  /* servers were asked */
};

#endif
