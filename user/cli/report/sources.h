/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The source lines that contain samples of a report. Iterates over the DSOs, and calls user/symbols
 * to read the files. A part of report.
 */
#ifndef PERFSTAMP_CLI_REPORT_SOURCES_H
#define PERFSTAMP_CLI_REPORT_SOURCES_H

#include "user/cli/profile/resolve.h"
#include "user/view/report/report.h"

struct report_sources;

/*
 * Finds the lines of the samples in @report: those with @percent or more, and @around lines around
 * each. The arguments have to live as long as *@ret. Returns 0 or -errno.
 */
int report_sources__find(struct report_sources **ret, const struct samples *samples,
	struct model *model, const struct place_names *names, const struct report_options *report,
	const struct symbols_options *options, double percent, uint32_t around, struct error *err);
/* @view is that of the report. The caller checks @out for errors. Returns 0 or -ENOMEM. */
int report_sources__write(
	FILE *out, const struct report_sources *sources, const struct report_view *view, bool json);
/* Returns the first error text of a debuginfod server, or "". */
const char *report_sources__said(const struct report_sources *sources);
void report_sources__free(struct report_sources *sources);

#endif
