/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of a recording's perf events. Does not know the events. */
#ifndef PERFSTAMP_SOURCE_PERF_OPTIONS_H
#define PERFSTAMP_SOURCE_PERF_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/parse/event/attr.h"

struct sample_tree;

#define EVLIST_FREQ_DEFAULT 4000
#define EVLIST_FREQ_MAX UINT64_MAX /* -F max */

/* A --filter: for the event that ends last within the first @at bytes of .events. */
struct evlist_filter {
	size_t at;
	const char *text;
};

struct evlist_options {
	const char *events; /* as of -e; NULL: cycles, or cpu-clock where there are none */
	const struct evlist_filter *filters;
	size_t n_filters;
	pid_t exclude_pid; /* a process that is not sampled; 0: none */
	const char
		*cgroups; /* as of -G: one for each event, or one for all; NULL: no matter which */
	uint64_t freq;    /* Hz, or EVLIST_FREQ_MAX; 0: perf's default */
	bool strict_freq; /* fail instead of sampling less often */
	uint64_t period;  /* as of -c; 0: by frequency */
	bool callchain;   /* as of -g: by frame pointers, except for */
	uint32_t dwarf_stack; /* bytes of user stack to unwind later, with the registers; 0: not */
	bool lbr;             /* the processor's own records of calls */

	/* One of system_wide, cpus alone, pids and tids, workload. */
	bool system_wide;
	const char *cpus;  /* as of -C, also together with pids, tids or workload; may be NULL */
	const pid_t *pids; /* with all their threads */
	size_t n_pids;
	const char *user; /* as of -u, whose processes .pids are: one may be gone; or NULL */
	const pid_t *tids;
	size_t n_tids;
	pid_t workload; /* not yet executed; sampled from its exec on; 0: none */

	bool not_on_exec;    /* a workload is sampled from evlist__enable on instead */
	bool no_inherit;     /* do not record threads and children created later */
	bool exclude_kernel; /* --all-user */
	bool exclude_user;   /* --all-kernel */
	size_t mmap_pages;   /* of each ring, rounded up to a power of two; 0: perf's default */
	int clockid;         /* CLOCK_*, or -1: perf's own clock */
	struct attr_extras extra;
	bool mmap_records;  /* the sideband event carries MMAP2 with build-id, too */
	bool mmap3_records; /* or MMAP3, which the kernel is known to have (native.h) */
	bool sideband_only; /* sample nothing (watch): events must be NULL */
	/*
	 * The tree of tasks whose samples are kept on whole CPUs, if processes, threads or a
	 * workload are recorded (perf/sample_filter.h); must outlive the evlist. NULL: they are
	 * sampled by events of the tasks, because of @why_no_tree, which is NULL if there is
	 * nothing to report.
	 */
	const struct sample_tree *tree;
	const char *why_no_tree;
};

#endif
