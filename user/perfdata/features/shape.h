/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether the bytes of a header feature have the shape that perf reads: counts
 * and lengths that fit. For features that nothing here writes or shows, too.
 * Knows no meaning. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_FEATURE_SHAPE_H
#define PERFSTAMP_PERFDATA_FEATURE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

/* True for a feature whose shape is not known here. */
bool feature_shape__fits(unsigned int id, const void *bytes, size_t size, bool swap);

#endif
