/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slices of time, to measure how evenly events are spread over a stream. The length of the stream
 * is not known in advance, so all slices double their width whenever the stream outgrows them.
 * Pure.
 */
#ifndef PERFSTAMP_MODEL_SLICES_H
#define PERFSTAMP_MODEL_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#define SLICES_MAX 64u /* more than half of them are used once a stream is 64 ms long */

/* All zero: no time was added yet. */
struct slices {
	uint64_t begin_ns;
	uint64_t end_ns; /* the latest time */
	uint32_t level;  /* a slice is 2^level ms wide */
	bool begun;
};

/*
 * Returns how often the width has to double until @time_ns is in a slice. The first call sets the
 * begin of the first slice.
 */
uint32_t slices__missing(struct slices *slices, uint64_t time_ns);
/* Returns the slice that contains @time_ns. Times before the first slice count as in the first. */
uint32_t slices__at(const struct slices *slices, uint64_t time_ns);
/* Returns the length of slice @i in ns; the last one ends at the latest time. */
uint64_t slices__width(const struct slices *slices, uint32_t i);

#endif
