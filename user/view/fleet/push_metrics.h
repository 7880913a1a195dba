/* SPDX-License-Identifier: GPL-2.0-only */
/* The metrics of push --follow, as OpenMetrics text. Pure, like user/view/metrics.h. */
#ifndef PERFSTAMP_VIEW_PUSH_METRICS_H
#define PERFSTAMP_VIEW_PUSH_METRICS_H

#include <stdint.h>
#include <stdio.h>

/* Sums since the start, but where it says otherwise. */
struct push_metrics {
	const char *version;
	const char *receiver;                   /* its kind */
	double start_s;                         /* since 1970 */
	double cpu_s;                           /* with that of its child processes */
	uint64_t rss_bytes;                     /* that it has now */
	uint64_t sent, before, refused, missed; /* files: "before": the receiver had them */
	uint64_t bytes;          /* of requests that an HTTP receiver has confirmed */
	uint64_t rows;           /* that a database has confirmed */
	uint64_t failures;       /* tries that failed and are repeated */
	uint64_t waiting;        /* files that are to be sent, now */
	double oldest_waiting_s; /* when the oldest of them was completed, since 1970; 0: none waits
				  */
	double last_sent_s;      /* since 1970; 0: nothing was sent */
};

/* Errors stick to @out. */
void push_metrics__write(FILE *out, const struct push_metrics *metrics);

#endif
