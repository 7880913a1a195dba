// SPDX-License-Identifier: GPL-2.0-only
/*
 * See sample_span.h.
 */
#include "user/perfdata/write/sample_span.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

void sample_span__add_type(struct sample_span *span, uint64_t sample_type)
{
	size_t at = sizeof(struct perf_event_header);

	/* The fields before the time: see PERF_RECORD_SAMPLE in linux/perf_event.h. */
	at += sample_type & PERF_SAMPLE_IDENTIFIER ? 8 : 0;
	at += sample_type & PERF_SAMPLE_IP ? 8 : 0;
	at += sample_type & PERF_SAMPLE_TID ? 8 : 0;
	if (!(sample_type & PERF_SAMPLE_TIME) || (span->time_at && span->time_at != at))
		span->differs = true;
	span->time_at = at;
}

int sample_span__add(struct sample_span *span, const void *records, size_t size)
{
	const uint8_t *at = records;

	while (size) {
		struct perf_event_header header;
		uint64_t time;

		if (size < sizeof(header))
			return -EINVAL;
		memcpy(&header, at, sizeof(header));
		if (header.size < sizeof(header) || header.size > size)
			return -EINVAL;
		span->n += header.type == PERF_RECORD_SAMPLE;
		if (header.type == PERF_RECORD_SAMPLE && !span->differs && span->time_at &&
			header.size >= span->time_at + sizeof(time)) {
			memcpy(&time, at + span->time_at, sizeof(time));
			if (!span->last_ns || time < span->first_ns)
				span->first_ns = time;
			if (time > span->last_ns)
				span->last_ns = time;
		}
		at += header.size;
		size -= header.size;
	}
	return 0;
}

bool sample_span__get(const struct sample_span *span, uint64_t *ret_first, uint64_t *ret_last)
{
	*ret_first = span->first_ns;
	*ret_last = span->last_ns;
	return span->last_ns != 0;
}
