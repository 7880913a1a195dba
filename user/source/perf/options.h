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

/* A --filter: applies to the event that ends last within the first @at bytes of .events. */
struct evlist_filter {
	size_t at;
	const char *text;
};

struct evlist_options {
	const char *events; /* like -e; NULL: cycles, or cpu-clock if there are no cycles */
	const struct evlist_filter *filters;
	size_t n_filters;
	pid_t exclude_pid;    /* a process that is not sampled; 0: none */
	const char *cgroups;  /* like -G: one for each event, or one for all; NULL: all cgroups */
	uint64_t freq;        /* Hz, or EVLIST_FREQ_MAX; 0: perf's default */
	bool strict_freq;     /* fail instead of sampling less often */
	uint64_t period;      /* like -c; 0: by frequency */
	bool callchain;       /* as of -g: by frame pointers, except for */
	uint32_t dwarf_stack; /* bytes of user stack to unwind later, with the registers; 0: none */
	bool lbr;             /* branch records of the processor (LBR) */

	/* Exactly one is set: system_wide, cpus alone, pids and tids, or workload. */
	bool system_wide;
	const char *cpus;  /* like -C, also together with pids, tids or workload; may be NULL */
	const pid_t *pids; /* with all their threads */
	size_t n_pids;
	/* Like -u, if .pids are this user's processes, of which one may have ended; or NULL. */
	const char *user;
	const pid_t *tids;
	size_t n_tids;
	pid_t workload; /* not yet executed; sampled from its exec on; 0: none */

	bool not_on_exec;    /* begin sampling of a workload at evlist__enable instead */
	bool no_inherit;     /* do not record threads and children created later */
	bool exclude_kernel; /* --all-user */
	bool exclude_user;   /* --all-kernel */
	size_t mmap_pages;   /* of each ring, rounded up to a power of two; 0: perf's default */
	int clockid;         /* CLOCK_*, or -1: perf's own clock */
	struct attr_extras extra;
	bool mmap_records;  /* the sideband event also brings MMAP2 with build-id */
	bool mmap3_records; /* or MMAP3, if native.h has found that the kernel has it */
	bool sideband_only; /* sample nothing (watch): events must be NULL */
	/*
	 * The tree of tasks, if processes, threads or a workload are recorded. Events on whole CPUs
	 * keep only the samples of these tasks (perf/sample_filter.h). It must outlive the evlist.
	 * NULL: the tasks are sampled by their own events. @why_no_tree is the reason for this, or
	 * NULL if there is nothing to report.
	 */
	const struct sample_tree *tree;
	const char *why_no_tree;
};

#endif
