// SPDX-License-Identifier: GPL-2.0-only
/* See counts.h. */
#include "user/event/counts.h"

#include "user/base/cursor.h"

static uint64_t word_at(const struct event_counts *counts, uint64_t i, size_t word)
{
	struct cursor in;

	cursor__init(&in, counts->bytes + (i * counts->words + word) * sizeof(uint64_t),
		sizeof(uint64_t), counts->swap);
	return cursor__u64(&in);
}

struct event_count event_counts__at(const struct event_sample *sample, uint64_t i)
{
	const struct event_counts *counts = &sample->counts;

	return (struct event_count){
		.id = counts->id ? word_at(counts, i, counts->id) : sample->id,
		.value = word_at(counts, i, 0),
	};
}
