/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks that the counts and lengths in the bytes of a header feature fit, as perf reads
 * them, also for features that perfstamp neither writes nor shows. Does not know their
 * meaning. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_FEATURE_SHAPE_H
#define PERFSTAMP_PERFDATA_FEATURE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * @shape: 4 and 8 are words of this many bytes, s a string, b a bitmap, B bytes behind their
 * number, and d the data of a BPF program; ( and { are lists that begin with a count of 4 and 8
 * bytes, and repeat what stands up to the closing bracket. NULL: any bytes fit.
 */
bool feature_shape__fits(const char *shape, const void *bytes, size_t size, bool swap);

#endif
