/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Encodes the events of a recording as the records that describe them in a pipe: attributes, ids
 * and names. Pure: appends to a buffer.
 */
#ifndef PERFSTAMP_PERFDATA_PIPE_EVENTS_H
#define PERFSTAMP_PERFDATA_PIPE_EVENTS_H

#include <stddef.h>

#include "user/base/buffer.h"
#include "user/perfdata/features/event_desc.h"

/* Returns 0 or the buffer's error. */
int pipe_events__put(struct buffer *buf, const struct event_desc *events, size_t n_events);

#endif
