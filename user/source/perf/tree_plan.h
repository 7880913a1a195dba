/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides which events sample a tree of processes on whole CPUs, and which are opened on
 * the tasks themselves. Opens no event. Inside user/source only; others see evlists
 * (event.h).
 *
 * An inherited event begins with a whole period in each child, and when a CPU switches
 * between parent and child, the kernel swaps their events (perf_event_context_sched_out),
 * with the rest of the period. So tasks that live for less than a period are hardly ever
 * sampled. An event on a whole CPU continues from task to task.
 */
#ifndef PERFSTAMP_SOURCE_PERF_TREE_PLAN_H
#define PERFSTAMP_SOURCE_PERF_TREE_PLAN_H

#include <stdbool.h>

#include "user/base/error.h"
#include "user/source/perf/evsel.h"
#include "user/source/perf/plan.h"

/*
 * Sets .tree of the events that are opened on whole CPUs, and adds a note for each other event that
 * misses samples. Returns whether .tree was set for any event.
 */
bool tree_plan__choose(
	struct perf_plan *plan, const struct sample_tree *tree, struct perf_notes *notes);
/*
 * Checks that the kernel lets us filter an event of CPU @cpu, by loading a program. The first event
 * that can use the program gets it. Returns 0 or -errno with text.
 */
int tree_plan__try(
	struct perf_plan *plan, const struct sample_tree *tree, int cpu, struct error *err);
/* Undoes the choice. */
void tree_plan__drop(struct perf_plan *plan);
/* Whether @evsel, opened on tasks, misses samples of short processes. */
bool tree_plan__is_biased(const struct evsel *evsel);
/*
 * The CPU time, in ns, that a sample stands for if no samples are missed; 0 if this is not known
 * for one of the sampled events.
 */
uint64_t tree_plan__sample_ns(const struct perf_plan *plan);

#endif
