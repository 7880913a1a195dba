/* SPDX-License-Identifier: GPL-2.0-only */
/* The metrics of push --follow, as OpenMetrics text. Pure, like user/view/metrics.h. */
#ifndef PERFSTAMP_VIEW_PUSH_METRICS_H
#define PERFSTAMP_VIEW_PUSH_METRICS_H

#include <stdint.h>
#include <stdio.h>

/* Sums since the start, unless noted otherwise. */
struct push_metrics {
	const char *version;
	const char *receiver;                   /* kind of receiver */
	double start_s;                         /* since 1970 */
	double cpu_s;                           /* including child processes */
	uint64_t rss_bytes;                     /* current value */
	uint64_t sent, before, refused, missed; /* files; "before": the receiver already had them */
	uint64_t bytes;                         /* of requests that an HTTP receiver confirmed */
	uint64_t rows;                          /* rows that a database confirmed */
	uint64_t failures;                      /* failed attempts, which are repeated */
	uint64_t waiting;                       /* files that are waiting now */
	double oldest_waiting_s; /* completion time of the oldest of them, since 1970; 0: none */
	double last_sent_s;      /* since 1970; 0: nothing was sent */
};

/* Errors stick to @out. */
void push_metrics__write(FILE *out, const struct push_metrics *metrics);

#endif
