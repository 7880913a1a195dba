/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Additional events for sampling by task, which reduce the missed samples and measure them:
 * see tree_plan.h. Inside user/source only; others see evlists.
 */
#ifndef PERFSTAMP_SOURCE_PERF_TASK_EVENTS_H
#define PERFSTAMP_SOURCE_PERF_TASK_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/source/perf/plan.h"
#include "user/source/perf/target.h"

struct task_events {
	int *guards;
	size_t n_guards;
	int *clocks; /* -1: not open */
	size_t n_clocks;
	bool on_exec; /* the clocks begin by themselves */
};

/*
 * Opens the additional events on the threads of @target that are not @gone. For each biased event,
 * opens one that is not inherited and counts nothing. It prevents the kernel from swapping the
 * thread's events, with the rest of their period, with those of its children. Also opens a count of
 * the CPU time of the thread and its descendants. Events that cannot be opened are skipped. Returns
 * 0 or -ENOMEM.
 */
int task_events__open(struct task_events *events, const struct perf_plan *plan,
	const struct perf_target *target, const bool *gone);
void task_events__close(struct task_events *events);
/* Turns the clocks on and off, together with sampling. */
void task_events__enable(const struct task_events *events, bool enable);
/* The CPU time in ns used by all threads and their descendants; false if it was not counted. */
bool task_events__used(const struct task_events *events, uint64_t *ret);

#endif
