/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts over time of a stream whose length is not known in advance. The bins double their width
 * when the stream outgrows them, so that a second and a week take the same memory. Does not know
 * what is counted.
 */
#ifndef PERFSTAMP_VIEW_TIMELINE_SERIES_H
#define PERFSTAMP_VIEW_TIMELINE_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIMELINE_BINS_MAX 960u /* at least half of them are used after 1 ms */

/* The bins that several series share. All zero before the first time. */
struct timeline_bins {
	uint64_t begin_ns;
	uint32_t level; /* a bin is 2^level microseconds wide */
	bool begun;
};

struct timeline_count {
	uint32_t bin;
	uint32_t count;
};

/* All zero: empty. */
struct timeline_series {
	struct timeline_count *v; /* sorted by bin; bins without a count are omitted */
	size_t n;
	size_t room;
	uint32_t level;
};

/* Widens the bins until @time_ns is in one. Earlier times are in the first bin. */
void timeline_bins__reach(struct timeline_bins *bins, uint64_t time_ns);
uint64_t timeline_bins__width(const struct timeline_bins *bins); /* Returns the width in ns. */

/*
 * Adds @count at @time_ns; timeline_bins__reach() must have been called for that time. Returns 0 or
 * -ENOMEM.
 */
int timeline_series__add(struct timeline_series *series, const struct timeline_bins *bins,
	uint64_t time_ns, uint64_t count);
/* Converts the series to the current width of the bins. */
void timeline_series__settle(struct timeline_series *series, const struct timeline_bins *bins);
void timeline_series__free(struct timeline_series *series);

#endif
