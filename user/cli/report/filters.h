/* SPDX-License-Identifier: GPL-2.0-only */
/* The filters of report: by thread, CPU, time, DSO and function. A part of report. */
#ifndef PERFSTAMP_CLI_REPORT_FILTERS_H
#define PERFSTAMP_CLI_REPORT_FILTERS_H

#include "user/base/error.h"
#include "user/cli/report/command.h"
#include "user/view/report/view.h"

struct report_filters {
	const struct report_command *command;
	const struct report_view *view; /* .samples and .model are set once names are known */
	bool *parents, *roots;          /* as in struct report_options */
};

/* Sets the filters of samples. @filters have to live as long as the samples. */
void report_filters__of_samples(const struct report_filters *filters, struct samples_options *ret);
/* Sets the filters of rows; call it after names were resolved. Returns 0, or -errno with text. */
int report_filters__of_rows(struct report_filters *filters, const struct resolved *resolved,
	struct report_options *ret, struct error *err);
/* Whether there is any filter. */
bool report_filters__are_set(const struct report_command *command);
void report_filters__free(struct report_filters *filters);

#endif
