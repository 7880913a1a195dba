/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of a report: samples grouped by the sort keys. Pure: the caller resolves the
 * names of functions.
 */
#ifndef PERFSTAMP_MODEL_REPORT_H
#define PERFSTAMP_MODEL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/profile/call_graph.h"
#include "user/model/profile/chains.h"
#include "user/model/profile/functions.h"
#include "user/model/profile/rows.h"
#include "user/model/profile/samples.h"

struct report;

/* Returns the file of the line of @place, which distinguishes rows; NULL: not known. */
const char *report__srcfile(const struct report *report, uint32_t place);
/*
 * @resolved has an entry for each place. All arguments have to live as long as the report. Rows are
 * sorted by event, and then by time spent. Returns 0 or -ENOMEM.
 */
int report__new(struct report **ret, const struct samples *samples, struct model *model,
	const struct resolved *resolved, const struct report_options *options);
void report__free(struct report *report);
/*
 * Returns options for another report with the same samples and totals. Its rows are distinguished
 * by these two keys. It has no callers, no groups, and the default order.
 */
struct report_options report_options__by(
	const struct report_options *options, enum report_key first, enum report_key second);
size_t report__n_rows(const struct report *report);
const struct report_row *report__row(const struct report *report, size_t i);
/*
 * Returns the samples of one event that percentages refer to: all samples, or with .relative the
 * selected ones (perf's --percentage). Samples outside of .from_ns and .to_ns never count. 0 for an
 * unknown event.
 */
uint64_t report__total_n(const struct report *report, uint32_t event);
uint64_t report__total_period(const struct report *report, uint32_t event);
/* Only with .parallel. */
double report__total_latency(const struct report *report, uint32_t event);
/*
 * Whether the rows contain the samples of @sum. *@ret_frame is set to the frame that they count
 * for: the outermost function whose callees are ignored, or else the sample's own frame.
 */
bool report__counts(const struct report *report, const struct sample_sum *sum, uint32_t *ret_frame);
/* Returns the number of selected samples of all events. */
uint64_t report__n_wanted(const struct report *report);
/*
 * Returns the number of the DSO that a place is in, or SAMPLES_NONE. One content at one path has
 * one number.
 */
uint32_t report__dso(const struct report *report, uint32_t place);
/* Returns the function with a number of a call graph. */
const struct function *report__function(const struct report *report, uint32_t function);
/* Returns the call graph of a row, with callers or callees; or NULL. */
const struct call_graph *report__graph(const struct report *report, size_t i);
/* Returns all selected chains. Without .children, .chains and .graph, each has one function. */
const struct chains *report__chains(const struct report *report);
/* Returns the number of events that samples belong to; their indexes are below it. */
uint32_t report__n_events(const struct report *report);

#endif
