/* SPDX-License-Identifier: GPL-2.0-only */
/* The input of all forms of a report. */
#ifndef PERFSTAMP_VIEW_REPORT_VIEW_H
#define PERFSTAMP_VIEW_REPORT_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/model.h"
#include "user/model/profile/code_names.h"
#include "user/model/profile/report.h"

struct report_view {
	const struct report *report;
	const struct samples *samples;
	struct model *model;
	const struct resolved *resolved; /* one for each place */
	const struct report_options *options;
	const char *const *events; /* their names; NULL: not known */
	size_t n_events;
	double percent_limit; /* rows of less are skipped */
	bool show_n;          /* a column of samples */
	bool show_period;     /* a column of periods */
	bool show_latency;    /* columns of latency */
	/* The columns, where these and the keys are not they. */
	const enum report_key *columns;
	size_t n_columns;
	const char *separator; /* between columns, which are not padded then; NULL: none */
	const int *widths;     /* of the first columns, instead of what they have; or NULL */
	size_t n_widths;
	bool quiet;        /* rows alone, without the lines that begin with # */
	bool ns;           /* times with nine digits, else six */
	bool only_parents; /* no rows that have no parent */
	bool hierarchy;    /* rows below the rows of the keys before */
	bool graph;        /* call graphs below the rows; as JSON, all call chains */
	/* How many branches of a call graph are shown at one place; 0: all. */
	uint32_t graph_branches;
	const char *file;                    /* the recording, for the commands in advice */
	bool debuginfod;                     /* servers were asked */
	const struct code_names *code_names; /* sealed; NULL: there are none */
};

#endif
