/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks whether the counts and lengths in the bytes of a header feature are consistent for perf's
 * reader. This includes features that perfstamp neither writes nor shows. Does not know their
 * meaning. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_FEATURE_SHAPE_H
#define PERFSTAMP_PERFDATA_FEATURE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * @shape: 4 and 8 are words of this many bytes, s a string, b a bitmap, B a count and that many
 * bytes, d the data of a BPF program. ( and { begin a list with a count of 4 and 8 bytes; its
 * elements have the shape up to the closing bracket. NULL: any bytes fit.
 */
bool feature_shape__fits(const char *shape, const void *bytes, size_t size, bool swap);

#endif
