/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which events sample a tree of processes through whole CPUs, and which as events of the
 * tasks themselves. Opens no event. Inside user/source only; others see evlists (event.h).
 *
 * An event that children inherit begins with a whole period in each, and where parent and
 * child change places on a CPU the kernel swaps their events (perf_event_context_sched_out),
 * with what is left of the period. So those who live for less than a period are hardly ever
 * sampled. An event of a whole CPU continues from task to task.
 */
#ifndef PERFSTAMP_SOURCE_PERF_TREE_PLAN_H
#define PERFSTAMP_SOURCE_PERF_TREE_PLAN_H

#include <stdbool.h>

#include "user/base/error.h"
#include "user/source/perf/evsel.h"
#include "user/source/perf/plan.h"

/* Sets .tree of the events that are opened on whole CPUs; each other that misses something is
 * a note. Returns whether there are any of the former. */
bool tree_plan__choose(
	struct perf_plan *plan, const struct sample_tree *tree, struct perf_notes *notes);
/*
 * Whether the kernel lets us filter an event of CPU @cpu: a program may be loaded for
 * naught. That program is given to the first event that needs no other. Returns 0 or -errno
 * with text.
 */
int tree_plan__try(
	struct perf_plan *plan, const struct sample_tree *tree, int cpu, struct error *err);
/* Takes back what was chosen. */
void tree_plan__drop(struct perf_plan *plan);
/* Whether @evsel as a task's event misses what short processes do. */
bool tree_plan__is_biased(const struct evsel *evsel);
/*
 * The CPU time, in ns, that a sample stands for if none is missed; 0 where events are sampled
 * of which that is not known.
 */
uint64_t tree_plan__sample_ns(const struct perf_plan *plan);

#endif
