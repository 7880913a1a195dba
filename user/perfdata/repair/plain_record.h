/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record as the kernel writes it: without the extension that perfstamp puts behind
 * its string (docs/format.md). Readers that take records apart from the front, as
 * quipper of google/perf_data_converter does, refuse a record that has more.
 * A part of repair.c, for its use only.
 */
#ifndef PERFSTAMP_PERFDATA_PLAIN_RECORD_H
#define PERFSTAMP_PERFDATA_PLAIN_RECORD_H

#include <stdbool.h>

#include "user/base/buffer.h"
#include "user/event/event.h"

/*
 * Appends the record of @event, which the reader has decoded; with @swap it is in the
 * other byte order, and stays in it. Returns 0 or -ENOMEM.
 */
int plain_record__put(struct buffer *out, const struct event *event, bool swap);

#endif
