/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The terms that have the same meaning for each PMU, as in
 * cpu-clock/period=1000000,call-graph=dwarf/: settings of one event that override the options for
 * all. Source: tools/perf/util/parse-events.c, config_term_common, and
 * Documentation/perf-record.txt of Linux. Does not know the machine.
 */
#ifndef PERFSTAMP_PARSE_EVENT_TERMS_H
#define PERFSTAMP_PARSE_EVENT_TERMS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/parse/event/pmu_format.h"

enum event_call_graph {
	EVENT_CALL_GRAPH_UNSET, /* the options decide */
	EVENT_CALL_GRAPH_NO,
	EVENT_CALL_GRAPH_FP,
	EVENT_CALL_GRAPH_DWARF,
	EVENT_CALL_GRAPH_LBR,
};

struct event_terms {
	char name[128]; /* empty: the name is the text of the event */
	enum event_call_graph call_graph;
	uint32_t stack_size; /* bytes; 0: the options decide */
	uint16_t max_stack;  /* frames; 0: the kernel's own limit */
	bool inherit_given;
	bool inherit;
	bool branch_given;
	uint64_t branch_sample_type; /* PERF_SAMPLE_BRANCH_* */
};

/*
 * Parses @term: config*, period and freq are stored in @attr. Returns 1; 0 if it is not one of
 * these terms; or -EINVAL with a text that names @event.
 */
int event_terms__take(struct event_terms *ret, struct perf_event_attr *attr,
	const struct pmu_term *term, const char *event, struct error *err);

/* Parses "fp", "dwarf", "dwarf,SIZE", "lbr" or "no"; *@ret_stack is 0 if no size is given. */
int event_terms__call_graph(enum event_call_graph *ret, uint32_t *ret_stack, const char *text);

#endif
