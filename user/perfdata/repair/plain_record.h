/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record as the kernel writes it, without perfstamp's additions (docs/format.md). In files of
 * version 1, an extension follows the record's string. Readers that parse records strictly from the
 * front, such as quipper of google/perf_data_converter, refuse such a record. A part of repair.c,
 * for its use only.
 */
#ifndef PERFSTAMP_PERFDATA_PLAIN_RECORD_H
#define PERFSTAMP_PERFDATA_PLAIN_RECORD_H

#include <stdbool.h>

#include "user/base/buffer.h"
#include "user/event/event.h"

/* Whether the record is a note, which the plain file does not have. */
bool plain_record__is_note(const struct event *event);

/*
 * Appends the record of @event, which the reader has decoded. With @swap it is in the other byte
 * order, which it keeps. Returns 0 or -ENOMEM.
 */
int plain_record__put(struct buffer *out, const struct event *event, bool swap);

#endif
