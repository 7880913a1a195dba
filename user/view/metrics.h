/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The metrics of a running recorder, as OpenMetrics text: pure, and knows neither its
 * clients nor the source of the numbers.
 */
#ifndef PERFSTAMP_VIEW_METRICS_H
#define PERFSTAMP_VIEW_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "user/model/replaced/replaced.h"
#include "user/perfdata/features/counters.h"

/* One value of a family with several, and the value of its label. */
struct metrics_part {
	const char *name; /* may be any bytes */
	uint64_t n;
};

/* Sums since the start, unless noted otherwise. */
struct metrics {
	const char *command; /* "record", "watch" */
	const char *version;
	const char *rung;
	double start_s;     /* since 1970 */
	double cpu_s;       /* CPU time used */
	uint64_t rss_bytes; /* current value */
	struct counters counters;
	bool records; /* it writes a file, so samples and bytes are counted */
	/* Observations of watch, by kind. */
	const struct metrics_part *seen;
	const struct metrics_part *left_out;
	size_t n_kinds;
	const struct replaced_counts *replaced; /* current numbers; NULL: not known */
};

/* Errors stick to @out. */
void metrics__write(FILE *out, const struct metrics *metrics);

/* The metrics of one run of `replaced'. */
struct metrics_look {
	struct replaced_counts replaced;
	uint64_t processes; /* processes that were read */
	uint64_t denied;    /* processes that it may not read */
	uint64_t unknown;   /* mapped files that could not be compared with their paths */
};

/* Errors stick to @out. */
void metrics__write_look(FILE *out, const struct metrics_look *look);

#endif
