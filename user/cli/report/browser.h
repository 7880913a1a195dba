/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Browses the report on a terminal, as in perf: call graphs below rows, instructions of a function,
 * filters. Shows the output of the views. A part of report.
 */
#ifndef PERFSTAMP_CLI_REPORT_BROWSER_H
#define PERFSTAMP_CLI_REPORT_BROWSER_H

#include "user/cli/report/annotate.h"

struct report_browser_request {
	const char *file;
	const struct report_view *view;          /* includes a report */
	const struct annotate_request *annotate; /* without .symbol */
	const char *about; /* limits of the whole report, as text with several lines */
};

/* Whether standard input and output are a suitable terminal. */
bool report_browser__is_possible(void);
/* Runs until the user quits. Returns 0, -ENOTTY if the terminal is not known, or -ENOMEM. */
int report_browser__run(const struct report_browser_request *request);

#endif
