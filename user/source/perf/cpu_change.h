/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes of a CPU while it is recorded. */
#ifndef PERFSTAMP_SOURCE_PERF_CPU_CHANGE_H
#define PERFSTAMP_SOURCE_PERF_CPU_CHANGE_H

#include <stdint.h>

/* What happened to a CPU. */
struct evlist_cpu_change {
	int cpu;
	enum {
		EVLIST_CPU_GONE,     /* it is or was off-line, and will be recorded again */
		EVLIST_CPU_BACK,     /* it was off-line, and is recorded again from now on */
		EVLIST_CPU_ENDED,    /* it is or was off-line, and will not be recorded again */
		EVLIST_CPU_NEW,      /* it was off-line at first, and is recorded from now on: there
					is one ring more */
		EVLIST_CPU_LEFT_OUT, /* it was off-line, and what runs there is not sampled:
					threads are on those of the start, and so is :S */
		EVLIST_CPU_LEFT_OUT_ENDED, /* a CPU that was not sampled is off-line again */
	} what;
	uint64_t since_ns; /* nothing was missed before this time; monotonic */
};

#endif
