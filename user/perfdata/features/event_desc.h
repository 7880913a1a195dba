/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The EVENT_DESC feature: attribute, name and ids of each event. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_EVENT_DESC_H
#define PERFSTAMP_PERFDATA_EVENT_DESC_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"

struct event_desc {
	struct perf_event_attr attr;
	const char *name;
	const uint64_t *ids; /* when parsed: in the file's byte order, possibly unaligned */
	size_t n_ids;
};

int event_desc__encode(struct buffer *out, const struct event_desc *events, size_t n);

/*
 * Calls @cb for each event in @bytes. Pointers point into @bytes, and .attr is zero. A non-zero
 * result of @cb ends the loop, and is returned. Returns 0 at the end, or -EBADMSG if the bytes are
 * contradictory.
 */
int event_desc__parse(const void *bytes, size_t size, bool swap,
	int (*cb)(void *ctx, size_t index, const struct event_desc *event), void *ctx);

#endif
