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
	const char *const *events; /* names; NULL: not known */
	size_t n_events;
	double percent_limit; /* rows with smaller shares are skipped */
	bool show_n;          /* show a column of samples */
	bool show_period;     /* show a column of periods */
	bool show_latency;    /* show columns of latency */
	/* The columns that the user chose; NULL: those of the keys and of the members above. */
	const enum report_key *columns;
	size_t n_columns;
	const char *separator; /* between columns, which are then not padded; NULL: none */
	const int *widths;     /* widths of the first columns; or NULL */
	size_t n_widths;
	bool quiet;     /* only rows, without the lines that begin with # */
	bool ns;        /* times with nine digits, otherwise six */
	bool hierarchy; /* a level of rows for each key */
	bool graph;     /* call graphs below rows; in JSON, all call chains */
	/* The number of branches that a call graph shows at one place; 0: all. */
	uint32_t graph_branches;
	const char *file;                    /* the recording, for the commands in advice */
	bool debuginfod;                     /* servers were asked */
	const struct code_names *code_names; /* sealed; NULL: there are none */
};

#endif
