/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes the events of a recording from its options, with attributes, groups, filters and
 * cgroups. Opens no event. Inside user/source only; others see evlists (evlist.h).
 */
#ifndef PERFSTAMP_SOURCE_PERF_PLAN_H
#define PERFSTAMP_SOURCE_PERF_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "user/base/error.h"
#include "user/source/perf/evsel.h"
#include "user/source/perf/options.h"

struct perf_plan {
	struct evsel *evsels; /* the sideband event is last */
	size_t n;
	/*
	 * The keeper: an event on whole CPUs, which exists if the sideband event is on tasks. It
	 * owns the rings, and shows when a CPU was off-line. It is not in the file. Its .name is
	 * NULL if there is no keeper.
	 */
	struct evsel keeper;
	bool data_maps; /* the sideband event carries MMAP2 of what is not executable */
};

/*
 * @pages are the data pages of each ring. Returns 0, or -EINVAL, -ENOENT, -EACCES, -ENOMEM with
 * text. The caller frees @ret in any case.
 */
int perf_plan__make(struct perf_plan *ret, const struct evlist_options *options, size_t pages,
	struct perf_notes *notes, struct error *err);
/*
 * See evlist__is_single() and evlist__single_attr() in event.h. The attribute is as it was opened.
 */
bool perf_plan__is_single(const struct perf_plan *plan);
struct perf_event_attr perf_plan__single_attr(const struct perf_plan *plan);
/* Makes the keeper. Returns 0 or -ENOMEM. */
int perf_plan__add_keeper(struct perf_plan *plan);
void perf_plan__free(struct perf_plan *plan);

#endif
