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

/* The file of the line of @place, which distinguishes rows; NULL: not known. */
const char *report__srcfile(const struct report *report, uint32_t place);
/*
 * @resolved has one for each place. All that is given has to live as long as the report.
 * Rows are in order of events and then of time spent. Returns 0 or -ENOMEM.
 */
int report__new(struct report **ret, const struct samples *samples, struct model *model,
	const struct resolved *resolved, const struct report_options *options);
void report__free(struct report *report);
/*
 * The options of another report with the same samples and totals, whose rows are distinguished by
 * these two keys, without callers and groups, and in no other order.
 */
struct report_options report_options__by(
	const struct report_options *options, enum report_key first, enum report_key second);
size_t report__n_rows(const struct report *report);
const struct report_row *report__row(const struct report *report, size_t i);
/*
 * The samples of one event to which percentages refer: all, or with .relative the selected
 * ones (perf's --percentage). Those outside of .from_ns and .to_ns never count. 0 for any other
 * number.
 */
uint64_t report__total_n(const struct report *report, uint32_t event);
uint64_t report__total_period(const struct report *report, uint32_t event);
/* With .parallel. */
double report__total_latency(const struct report *report, uint32_t event);
/*
 * Whether the rows contain the samples of @sum. *@ret_frame is the frame that the samples count
 * for: the outermost function whose callees are ignored, or else the sample's own frame.
 */
bool report__counts(const struct report *report, const struct sample_sum *sum, uint32_t *ret_frame);
/* The samples of all events that were wanted. */
uint64_t report__n_wanted(const struct report *report);
/*
 * Returns the number of the DSO that a place is in, or SAMPLES_NONE if it is in none. One content
 * at one path has one number.
 */
uint32_t report__dso(const struct report *report, uint32_t place);
/* The function of a number in a call graph. */
const struct function *report__function(const struct report *report, uint32_t function);
/* The callers of the function of a row's samples, or its callees; or NULL. */
const struct call_graph *report__graph(const struct report *report, size_t i);
/* All that were wanted; without .children, .chains and .graph of one function each. */
const struct chains *report__chains(const struct report *report);
/* Events of samples have numbers below this. */
uint32_t report__n_events(const struct report *report);

#endif
