// SPDX-License-Identifier: GPL-2.0-only
/*
 * EVENT_DESC, see event_desc.h and write_event_desc() in
 * tools/perf/util/header.c of Linux.
 */
#include "user/perfdata/features/event_desc.h"

#include <errno.h>
#include <string.h>

#include "user/base/cursor.h"
#include "user/perfdata/encode.h"
#include "user/perfdata/layout.h"
#include "user/perfdata/strings.h"

int event_desc__encode(struct buffer *out, const struct event_desc *events, size_t n)
{
	buffer__u32(out, n);
	buffer__u32(out, PERFDATA_ATTR_SIZE);
	for (size_t i = 0; i < n; i++) {
		encode__attr(out, &events[i].attr);
		buffer__u32(out, events[i].n_ids);
		strings__put(out, events[i].name ? events[i].name : "");
		buffer__append(out, events[i].ids, events[i].n_ids * sizeof(uint64_t));
	}
	return out->error;
}

int event_desc__parse(const void *bytes, size_t size, bool swap,
	int (*cb)(void *ctx, size_t index, const struct event_desc *event), void *ctx)
{
	struct cursor in;
	uint32_t n, attr_size;
	int err = 0;

	cursor__init(&in, bytes, size, swap);
	n = cursor__u32(&in);
	attr_size = cursor__u32(&in);
	/* Each iteration consumes at least eight bytes, so a wrong count ends soon. */
	for (uint32_t i = 0; i < n && !err && !in.failed; i++) {
		struct event_desc event = {};

		cursor__skip(&in, attr_size);
		event.n_ids = cursor__u32(&in);
		event.name = strings__get(&in);
		event.ids = cursor__bytes(&in, (uint64_t)event.n_ids * sizeof(uint64_t));
		if (!in.failed)
			err = cb(ctx, i, &event);
	}
	return in.failed ? -EBADMSG : err;
}
