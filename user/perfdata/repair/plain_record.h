/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record as the kernel writes it: without what perfstamp adds (docs/format.md). In files
 * of version 1 an extension follows the record's string; readers that take records apart
 * from the front, as quipper of google/perf_data_converter does, refuse such a record. A
 * part of repair.c, for its use only.
 */
#ifndef PERFSTAMP_PERFDATA_PLAIN_RECORD_H
#define PERFSTAMP_PERFDATA_PLAIN_RECORD_H

#include <stdbool.h>

#include "user/base/buffer.h"
#include "user/event/event.h"

/* Whether the record is a note: then the plain file does not have it. */
bool plain_record__is_note(const struct event *event);

/*
 * Appends the record of @event, which the reader has decoded; with @swap it is in the
 * other byte order, and stays in it. Returns 0 or -ENOMEM.
 */
int plain_record__put(struct buffer *out, const struct event *event, bool swap);

#endif
