/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Computes how many recorded threads run at the time of a sample, from the context switches of a
 * recording: the parallelism of perf report. Does not know rows.
 */
#ifndef PERFSTAMP_CLI_REPORT_PARALLELISM_H
#define PERFSTAMP_CLI_REPORT_PARALLELISM_H

#include <stdbool.h>
#include <stdint.h>

#include "user/model/profile/samples.h"
#include "user/perfdata/read/reader.h"

struct parallelism {
	int64_t level;   /* threads that are running; may be below 1 if switches are out of order */
	uint32_t n_cpus; /* CPUs of the machine; 0: not known */
	bool switches;   /* the recording has context switches */
	uint64_t n_samples, n_alone;
};

/* Call it before each reading of the recording. */
void parallelism__begin(struct parallelism *parallelism);
/* Takes the next event in time order. */
void parallelism__take(struct parallelism *parallelism, const struct perfdata_reader *reader,
	const struct event *event);
/* Makes samples grouped by parallelism. @parallelism has to live as long as the samples. */
void parallelism__of_samples(struct parallelism *parallelism, struct samples_options *ret);
/*
 * Like perf: whether a column of latency is useful, because enough samples ran in parallel to
 * others.
 */
bool parallelism__is_worth_showing(const struct parallelism *parallelism);

#endif
