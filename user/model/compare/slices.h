/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slices of time, to see how unevenly something is spread over a stream whose length is not
 * known in advance: they double their width whenever the stream outgrows them. Pure.
 */
#ifndef PERFSTAMP_MODEL_SLICES_H
#define PERFSTAMP_MODEL_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#define SLICES_MAX 64u /* and more than half are used, once a stream is 64 ms long */

/* All zero: before the first time. */
struct slices {
	uint64_t begin_ns;
	uint64_t end_ns; /* the latest time */
	uint32_t level;  /* a slice is 2^level ms wide */
	bool begun;
};

/* How often the width has to double until @time_ns is in a slice. The first time begins them. */
uint32_t slices__missing(struct slices *slices, uint64_t time_ns);
/* The slice of @time_ns, which is in one. What is before the first slice is in the first. */
uint32_t slices__at(const struct slices *slices, uint64_t time_ns);
/* How long slice @i lasts, up to the latest time, in ns. */
uint64_t slices__width(const struct slices *slices, uint32_t i);

#endif
