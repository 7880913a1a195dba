/* SPDX-License-Identifier: GPL-2.0-only */
/* The rows of a report, the sort keys, and the options by which rows are grouped and sorted. */
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
	/* Columns of numbers. Rows can be sorted by these, too. */
	REPORT_CHILDREN = REPORT_KEYS,
	REPORT_OVERHEAD,
	REPORT_LATENCY_CHILDREN,
	REPORT_LATENCY,
	REPORT_SAMPLES,
	REPORT_PERIOD,
	REPORT_COLUMNS,
};

/*
 * The end where call graphs begin, in perf's words: caller is the outermost caller, callee is the
 * sample.
 */
enum report_graph {
	REPORT_GRAPH_NONE,
	REPORT_GRAPH_CALLER,
	REPORT_GRAPH_CALLEE,
};

/*
 * Events that share their rows, with their numbers side by side: the leader @first and those that
 * follow it.
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
	/* By sighting: the identity with which names were found. */
	const struct perfstamp_identity *identities;
	bool children; /* also rows for callers, sorted by the total with their callees */
	bool chains;   /* report__chains() includes the callers */
	enum report_graph graph;
	double graph_limit; /* percent of the event; branches below it are hidden */
	bool fold;          /* the addresses of a DSO without symbols are one row */
	bool relative;      /* totals count only the selected samples */
	/*
	 * The sort order: keys ascend, numbers descend, and the first that differs decides. Empty:
	 * by time spent.
	 */
	enum report_key order[REPORT_COLUMNS];
	size_t n_order;
	const struct report_group *groups; /* an event is in one group at most */
	size_t n_groups;
	uint32_t group_sort; /* the event of a group that is compared first; 0 is the leader */
	/*
	 * By place, or NULL: whether its function is a parent for REPORT_PARENT, and whether its
	 * callees count as the function itself (perf's --parent and --ignore-callees).
	 */
	const bool *parents;
	const bool *roots;
	/*
	 * The samples are grouped by the number of threads that ran. Then rows have a latency: each
	 * sample adds its period divided by this number. With .by_latency, rows are sorted by
	 * latency.
	 */
	bool parallel;
	bool by_latency;
	/* With .parallel: whether samples count at which @n threads ran; NULL: all count. */
	bool (*wants_parallelism)(void *ctx, uint32_t n);
	bool only_resolved; /* addresses without a name are in no row and no total */
	bool only_parents;  /* only samples with a parent count (perf's --exclude-other) */
	/* Whether samples in this place count; NULL: all count. */
	bool (*wants)(void *ctx, const struct place *place, const struct resolved *resolved);
	void *ctx;
};

/* Whether the samples of @sum count, by the number of threads that ran. */
static inline bool report_options__want(
	const struct report_options *options, const struct sample_sum *sum)
{
	return !options->wants_parallelism || options->wants_parallelism(options->ctx, sum->group);
}

/* Returns the group of @event, or NULL. */
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

/* The numbers of a row for one event. */
struct report_numbers {
	uint64_t n; /* samples in the row */
	uint64_t period;
	double latency;      /* in the unit of .period */
	uint64_t children_n; /* samples in the row or in its callees */
	uint64_t children_period;
	double children_latency;
};

struct report_row {
	uint32_t event; /* for a group, the leader */
	uint32_t comm;  /* number in the texts of the samples */
	uint32_t pid, tid, cpu;
	uint64_t cgroup;
	uint64_t time_ns;   /* beginning of its time step */
	const char *parent; /* NULL: none */
	uint32_t place;     /* any place in it, for the DSO and the function */
	/* The name of the function if it was inlined at this place, or NULL. */
	const char *inlined;
	uint32_t parallelism; /* threads that ran at the same time */
	/* The numbers of .event, followed by those of the other events of its group. */
	const struct report_numbers *numbers;
};

#endif
