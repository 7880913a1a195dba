/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions and source lines of a function with their samples. Iterates over the DSOs with
 * this function, and calls user/symbols to read their files. A part of report.
 */
#ifndef PERFSTAMP_CLI_REPORT_ANNOTATE_H
#define PERFSTAMP_CLI_REPORT_ANNOTATE_H

#include "user/cli/profile/resolve.h"
#include "user/view/report/report.h"

struct annotate_request {
	const char *symbol; /* its name as in the report */
	bool one_dso;       /* only in the DSO of .sighting */
	uint32_t sighting;
	bool intel; /* the syntax on x86 */
	bool json;
	enum annotation_percent percent;
	const struct place_names *names;
	const struct symbols_options *options;
	const struct report_view *view; /* includes a report of the samples */
};

/*
 * Writes an annotation for each DSO and event with samples in the function. *@ret_n is set to their
 * number. Returns 0, or -errno with text.
 */
int report_annotate__write(
	FILE *out, const struct annotate_request *request, size_t *ret_n, struct error *err);

#endif
