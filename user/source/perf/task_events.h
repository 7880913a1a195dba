/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is opened beside events that sample task by task, so that they miss less, and that it
 * is known how much they miss: see tree_plan.h. Inside user/source only; others see evlists.
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
	int *clocks; /* -1 where not open */
	size_t n_clocks;
	bool on_exec; /* the clocks begin by themselves */
};

/*
 * Opens them on the threads of @target that are not @gone: for each event that is biased
 * one that is not inherited and counts nothing, so that the kernel does not take the
 * thread's events for those of its children and swap them, with what is left of a period;
 * and a count of the CPU time of the thread and all that it makes. What cannot be opened is
 * skipped. Returns 0 or -ENOMEM.
 */
int task_events__open(struct task_events *events, const struct perf_plan *plan,
	const struct perf_target *target, const bool *gone);
void task_events__close(struct task_events *events);
/* The clocks on and off, as sampling is. */
void task_events__enable(const struct task_events *events, bool enable);
/* In ns, by all threads and what they made; false if it was not counted. */
bool task_events__used(const struct task_events *events, uint64_t *ret);

#endif
