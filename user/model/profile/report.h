/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who spent the time: samples put into rows by what a report is sorted by. Pure:
 * the names of functions come from whoever resolved the places.
 */
#ifndef PERFSTAMP_MODEL_REPORT_H
#define PERFSTAMP_MODEL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/profile/call_graph.h"
#include "user/model/profile/chains.h"
#include "user/model/profile/functions.h"
#include "user/model/profile/samples.h"

enum report_key {
	REPORT_COMM,
	REPORT_PID,
	REPORT_TID,
	REPORT_DSO,
	REPORT_SYM,
	REPORT_SRCLINE,
	REPORT_BUILD_ID,
	REPORT_CPU,
	REPORT_CGROUP,
	REPORT_KEYS,
};

/* The end that call graphs begin at, perf's words: the outermost caller, or the sample. */
enum report_graph {
	REPORT_GRAPH_NONE,
	REPORT_GRAPH_CALLER,
	REPORT_GRAPH_CALLEE,
};

struct report_options {
	enum report_key keys[REPORT_KEYS];
	size_t n_keys;
	const struct perfstamp_identity *identities; /* by sighting: what names were found by */
	bool children; /* rows of callers too, sorted by what they called */
	bool chains;   /* report__chains has the callers, too */
	enum report_graph graph;
	double graph_limit; /* percent of the event, of less there is no graph */
	bool fold;          /* the addresses of a DSO without symbols are one row */
	bool relative;      /* totals are those of the wanted samples alone */
	/* Whether samples in this place count; NULL: all. */
	bool (*wants)(void *ctx, const struct place *place, const struct resolved *resolved);
	void *ctx;
};

struct report_row {
	uint32_t event;
	uint32_t comm; /* in the samples' texts */
	uint32_t pid, tid, cpu;
	uint64_t cgroup;
	uint32_t place;      /* any of its places: that tells the DSO and the function */
	const char *inlined; /* the function, where it was inlined there; or NULL */
	uint64_t n;          /* samples in it */
	uint64_t period;
	uint64_t children_n; /* in it or in what it called */
	uint64_t children_period;
};

struct report;

/*
 * @resolved has one for each place. All that is given has to live as long as the
 * report. Rows are in order of events and then of time spent. 0 or -ENOMEM.
 */
int report__new(struct report **ret, const struct samples *samples, struct model *model,
	const struct resolved *resolved, const struct report_options *options);
void report__free(struct report *report);
size_t report__n_rows(const struct report *report);
const struct report_row *report__row(const struct report *report, size_t i);
/*
 * The samples of one event that percentages are of: all, or with .relative the wanted ones
 * (perf's --percentage). Those outside of .from_ns and .to_ns never count.
 */
uint64_t report__total_n(const struct report *report, uint32_t event);
uint64_t report__total_period(const struct report *report, uint32_t event);
/* The samples of all events that were wanted. */
uint64_t report__n_wanted(const struct report *report);
/*
 * The number of the DSO that a place is in: the same for one content at one path.
 * SAMPLES_NONE where it is in none.
 */
uint32_t report__dso(const struct report *report, uint32_t place);
/* The function of a number in a call graph. */
const struct function *report__function(const struct report *report, uint32_t function);
/* Where the function of a row's samples is called from, or what it called; or NULL. */
const struct call_graph *report__graph(const struct report *report, size_t i);
/* All that were wanted; without .children, .chains and .graph of one function each. */
const struct chains *report__chains(const struct report *report);
/* The events that samples are of: 0 to this one less. */
uint32_t report__n_events(const struct report *report);

#endif
