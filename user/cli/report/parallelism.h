/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many recorded threads run at the time of a sample, by the context switches of a recording:
 * the parallelism of perf report. Knows nothing of rows.
 */
#ifndef PERFSTAMP_CLI_REPORT_PARALLELISM_H
#define PERFSTAMP_CLI_REPORT_PARALLELISM_H

#include <stdbool.h>
#include <stdint.h>

#include "user/model/profile/samples.h"
#include "user/perfdata/read/reader.h"

struct parallelism {
	int64_t level;   /* threads that are on a CPU; below 1 where switches are out of order */
	uint32_t n_cpus; /* CPUs of the machine; 0: not known */
	bool switches;   /* the recording has context switches */
	uint64_t n_samples, n_alone;
};

/* Before each reading of the recording. */
void parallelism__begin(struct parallelism *parallelism);
/* Takes the next event in time order. */
void parallelism__take(struct parallelism *parallelism, const struct perfdata_reader *reader,
	const struct event *event);
/* Has samples grouped by it. @parallelism has to live as long. */
void parallelism__of_samples(struct parallelism *parallelism, struct samples_options *ret);
/* Like perf: whether enough samples ran in parallel to others for a useful column of latency. */
bool parallelism__is_worth_showing(const struct parallelism *parallelism);

#endif
