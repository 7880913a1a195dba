// SPDX-License-Identifier: GPL-2.0-only
/*
 * See resync.h.
 */
#include "user/perfdata/read/resync.h"

#include <errno.h>
#include <linux/perf_event.h>

#include "user/base/cursor.h"
#include "user/event/types.h"

#define IN_A_ROW 4 /* consecutive records that cannot be a coincidence */

struct window {
	const uint8_t *bytes;
	size_t size;
	bool at_end; /* the input ends with the window */
	size_t alignment;
};

static bool is_known_type(uint32_t type)
{
	return (type >= PERF_RECORD_MMAP && type <= PERFDATA_RECORD_MODULE) ||
	       (type >= PERF_RECORD_USER_TYPE_START && type <= PERF_RECORD_SCHEDSTAT_DOMAIN);
}

static bool is_mark(uint32_t type)
{
	return type == PERF_RECORD_FINISHED_ROUND || type == PERF_RECORD_FINISHED_INIT;
}

/* Returns the size of the record at @at of the window; 0: there is no record. */
static size_t record_at(
	const struct window *window, size_t at, struct event_decoder *decoder, bool swap)
{
	struct cursor in;
	uint32_t type;
	uint16_t size;

	cursor__init(&in, window->bytes + at, window->size - at, swap);
	type = cursor__u32(&in);
	cursor__u16(&in);
	size = cursor__u16(&in);
	if (in.failed || !is_known_type(type) || size < sizeof(struct perf_event_header) ||
		size % (type == PERF_RECORD_HEADER_FEATURE ? window->alignment : 8) ||
		size > window->size - at ||
		(is_mark(type) && size != sizeof(struct perf_event_header)))
		return 0;
	return event_decoder__try(decoder, window->bytes + at, size) ? 0 : size;
}

static bool begins_records(
	const struct window *window, size_t at, struct event_decoder *decoder, bool swap)
{
	for (int n = 0; n < IN_A_ROW; n++) {
		size_t size;

		if (at == window->size && window->at_end)
			return n > 0;
		size = record_at(window, at, decoder, swap);
		if (!size) /* a record may end beyond the window, but not beyond the input */
			return n > 0 && !window->at_end && window->size - at < UINT16_MAX;
		at += size;
	}
	return true;
}

int resync__find(
	struct input *in, struct event_decoder *decoder, bool swap, bool pipe, uint64_t base)
{
	/* In a pipe, strings give features sizes that are not multiples of 8. */
	const size_t alignment = pipe ? 4 : 8;
	size_t at = alignment - (in->offset - base) % alignment;

	for (;;) {
		struct window window;
		const void *bytes;
		ssize_t n = input__peek(in, INPUT_PEEK_MAX, &bytes);

		if (n < 0)
			return n;
		window = (struct window){bytes, n, n < INPUT_PEEK_MAX, alignment};
		/* Only the first half is searched, so that enough bytes follow for the check. */
		for (; at < (window.at_end ? window.size : window.size / 2); at += alignment) {
			if (!begins_records(&window, at, decoder, swap))
				continue;
			input__take(in, at);
			return 1;
		}
		if (window.at_end) {
			input__take(in, window.size);
			return 0;
		}
		input__take(in, at);
		at = 0;
	}
}
