/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of a report, and the options by which they are grouped and sorted. */
#ifndef PERFSTAMP_MODEL_ROWS_H
#define PERFSTAMP_MODEL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	REPORT_TIME,
	REPORT_SRCFILE,
	REPORT_PARENT,
	REPORT_PARALLELISM,
	REPORT_KEYS,
	/* What rows have in numbers; they are put in order by these, too. */
	REPORT_CHILDREN = REPORT_KEYS,
	REPORT_OVERHEAD,
	REPORT_LATENCY_CHILDREN,
	REPORT_LATENCY,
	REPORT_SAMPLES,
	REPORT_PERIOD,
	REPORT_COLUMNS,
};

/* The end that call graphs begin at, perf's words: the outermost caller, or the sample. */
enum report_graph {
	REPORT_GRAPH_NONE,
	REPORT_GRAPH_CALLER,
	REPORT_GRAPH_CALLEE,
};

/*
 * Events that share their rows, with numbers side by side: @first, which leads the group, and
 * those behind it.
 */
struct report_group {
	uint32_t first;
	uint32_t n;
	const char *name; /* NULL: it has none */
	bool forced;      /* they were not recorded as a group */
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
	bool relative;      /* totals count only the wanted samples */
	/*
	 * What rows are ordered by: keys and numbers, the first that differs decides. None:
	 * by time spent. Keys ascend, numbers descend.
	 */
	enum report_key order[REPORT_COLUMNS];
	size_t n_order;
	const struct report_group *groups; /* no event is in two */
	size_t n_groups;
	uint32_t group_sort; /* which event of a group decides first; 0 is the leader */
	/*
	 * One for each place, or NULL: whether its function is a parent for REPORT_PARENT, and
	 * whether what it called counts as itself (perf's --parent and --ignore-callees).
	 */
	const bool *parents;
	const bool *roots;
	/*
	 * The samples are grouped by how many threads ran. Then rows have a latency: each sample
	 * adds its period divided by that number. With .by_latency, rows are sorted by latency.
	 */
	bool parallel;
	bool by_latency;
	/* With .parallel, whether samples count beside which so many threads ran; NULL: all. */
	bool (*wants_parallelism)(void *ctx, uint32_t n);
	bool only_resolved; /* addresses without a name are in no row and no total */
	bool only_parents;  /* only samples with a parent count (perf's --exclude-other) */
	/* Whether samples in this place count; NULL: all. */
	bool (*wants)(void *ctx, const struct place *place, const struct resolved *resolved);
	void *ctx;
};

/* Whether the samples of @sum count, by how many threads ran. */
static inline bool report_options__want(
	const struct report_options *options, const struct sample_sum *sum)
{
	return !options->wants_parallelism || options->wants_parallelism(options->ctx, sum->group);
}

/* The group of @event; NULL: it is in none. */
static inline const struct report_group *report_options__group(
	const struct report_options *options, uint32_t event)
{
	for (size_t i = 0; i < options->n_groups; i++) {
		const struct report_group *group = &options->groups[i];

		if (event >= group->first && event - group->first < group->n)
			return group;
	}
	return NULL;
}

/* What a row has of one event. */
struct report_numbers {
	uint64_t n; /* samples in it */
	uint64_t period;
	double latency;      /* in the unit of .period */
	uint64_t children_n; /* in it or in what it called */
	uint64_t children_period;
	double children_latency;
};

struct report_row {
	uint32_t event; /* of a group: the leader */
	uint32_t comm;  /* in the samples' texts */
	uint32_t pid, tid, cpu;
	uint64_t cgroup;
	uint64_t time_ns;     /* beginning of its time step */
	const char *parent;   /* NULL: none */
	uint32_t place;       /* any of its places: it gives the DSO and the function */
	const char *inlined;  /* the function, where it was inlined there; or NULL */
	uint32_t parallelism; /* threads that ran at the same time */
	/* Of .event, and then of the others of its group. */
	const struct report_numbers *numbers;
};

#endif
