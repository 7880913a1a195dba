/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds where tracefs is mounted, and reads the formats of tracepoints. Opens no event. */
#ifndef PERFSTAMP_SOURCE_TRACEFS_H
#define PERFSTAMP_SOURCE_TRACEFS_H

#include <stddef.h>

#include "user/base/buffer.h"
#include "user/base/error.h"

/*
 * Returns a path like "/sys/kernel/tracing"; NULL if tracefs is not mounted, or we may not read it.
 */
const char *tracefs__find(void);

/*
 * Appends the bytes of the TRACING_DATA feature for the @n tracepoints @names
 * ("system:event", and perhaps modifiers). Returns 0, or -errno with text.
 */
int tracefs__describe(struct buffer *ret, const char *const *names, size_t n, struct error *err);

#endif
