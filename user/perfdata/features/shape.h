/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether the bytes of a header feature have the shape that perf reads: counts and lengths
 * that fit. For features that nothing here writes or shows, too. Does not know any meaning.
 * Pure.
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
