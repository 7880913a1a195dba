// SPDX-License-Identifier: GPL-2.0-only
/*
 * See change.h. Layouts: enum perf_event_type in include/uapi/linux/perf_event.h.
 */
#include "user/perfdata/repair/change.h"

#include <byteswap.h>
#include <errno.h>
#include <string.h>

#include "user/event/counts.h"
#include "user/perfdata/layout.h"

struct patch {
	uint8_t *record;
	size_t size;
	bool swap;
};

static bool holds(const struct patch *patch, size_t at, size_t size)
{
	return at <= patch->size && size <= patch->size - at;
}

static void put32(const struct patch *patch, size_t at, uint32_t value)
{
	value = patch->swap ? bswap_32(value) : value;
	if (holds(patch, at, sizeof(value)))
		memcpy(patch->record + at, &value, sizeof(value));
}

static void put64(const struct patch *patch, size_t at, uint64_t value)
{
	value = patch->swap ? bswap_64(value) : value;
	if (holds(patch, at, sizeof(value)))
		memcpy(patch->record + at, &value, sizeof(value));
}

static uint64_t get64(const struct patch *patch, size_t at)
{
	uint64_t value = 0;

	if (holds(patch, at, sizeof(value)))
		memcpy(&value, patch->record + at, sizeof(value));
	return patch->swap ? bswap_64(value) : value;
}

struct record_change record_change__none(const struct event *event)
{
	struct record_change change = {
		.pid = event->pid,
		.tid = event->tid,
		.time_ns = event->time_ns,
	};

	if (event->kind == EVENT_FORK || event->kind == EVENT_EXIT) {
		change.ppid = event->fork.ppid;
		change.ptid = event->fork.ptid;
	}
	return change;
}

static void put_ids(const struct patch *patch, size_t at, const struct record_change *change)
{
	put32(patch, at, change->pid);
	put32(patch, at + 4, change->tid);
}

/* Determines the event of a record, if necessary: *@ret is its entry, or NULL if it has no id. */
static int find_event(const struct patch *patch, const struct event *event,
	const struct input_events *events, const struct input_id **ret)
{
	uint64_t type = events->sample_type, id;
	size_t words;

	*ret = NULL;
	if (!(type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID)))
		return events->alike ? 0 : -EBADMSG;
	if (event->kind == EVENT_SAMPLE) {
		id = event->sample.id;
	} else if (type & PERF_SAMPLE_IDENTIFIER) {
		id = get64(patch, patch->size - 8);
	} else {
		words = 1 + !!(type & PERF_SAMPLE_STREAM_ID) + !!(type & PERF_SAMPLE_CPU);
		id = get64(patch, patch->size - 8 * words);
	}
	*ret = input_events__find(events, id);
	/* Records that perf makes itself have the id 0. */
	return *ret || events->alike ? 0 : -EBADMSG;
}

static void change_sample(const struct patch *patch, const struct record_change *change,
	uint64_t type, const struct input_id *id)
{
	size_t at = sizeof(struct perf_event_header);

	if (type & PERF_SAMPLE_IDENTIFIER) {
		if (id)
			put64(patch, at, id->changed);
		at += 8;
	}
	if (type & PERF_SAMPLE_IP)
		at += 8;
	if (type & PERF_SAMPLE_TID) {
		put_ids(patch, at, change);
		at += 8;
	}
	if (type & PERF_SAMPLE_TIME)
		at += 8;
	if (type & PERF_SAMPLE_ADDR)
		at += 8;
	if (type & PERF_SAMPLE_ID && id)
		put64(patch, at, id->changed);
}

/* Each count in a sample has the id of the event that was counted. */
static void change_counts(
	const struct patch *patch, const struct event *event, const struct input_events *events)
{
	const struct event_counts *counts = &event->sample.counts;
	size_t at;

	if (!counts->id)
		return;
	at = counts->bytes - (const uint8_t *)event->raw;
	for (uint64_t i = 0; i < counts->n; i++) {
		const uint64_t of = event_counts__at(&event->sample, i).id;
		const struct input_id *id = input_events__find(events, of);

		if (id)
			put64(patch, at + 8 * (i * counts->words + counts->id), id->changed);
	}
}

static void change_trailer(const struct patch *patch, const struct record_change *change,
	uint64_t type, const struct input_id *id)
{
	const uint64_t fields = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;
	size_t size = 8 * __builtin_popcountll(type & fields), at;

	/* If two attributes list one id, a record may be shorter than the sample_type requires. */
	if (!holds(patch, sizeof(struct perf_event_header), size))
		return;
	at = patch->size - size;
	if (type & PERF_SAMPLE_TID) {
		put_ids(patch, at, change);
		at += 8;
	}
	if (type & PERF_SAMPLE_TIME) {
		put64(patch, at, change->time_ns);
		at += 8;
	}
	if (type & PERF_SAMPLE_ID && id)
		put64(patch, at, id->changed);
	if (id && type & PERF_SAMPLE_IDENTIFIER)
		put64(patch, patch->size - 8, id->changed);
}

static void change_body(
	const struct patch *patch, const struct event *event, const struct record_change *change)
{
	const size_t body = sizeof(struct perf_event_header);

	switch (event->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		put32(patch, body, change->pid);
		put32(patch, body + 4, change->ppid);
		put32(patch, body + 8, change->tid);
		put32(patch, body + 12, change->ptid);
		if (change->time_ns != event->time_ns)
			put64(patch, body + 16, change->time_ns);
		return;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (!event->map.kernel && event->kind == EVENT_MAP)
			put_ids(patch, body, change);
		return;
	case PERF_RECORD_COMM:
	case PERF_RECORD_NAMESPACES:
		put_ids(patch, body, change);
		return;
	}
}

static void set_size(struct buffer *record, bool swap)
{
	uint16_t size = swap ? bswap_16(record->size) : record->size;

	memcpy(record->data + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

static int change_path(
	struct buffer *record, const struct event *event, const char *path, bool swap)
{
	size_t begin = event->type == PERF_RECORD_MMAP ? 40 : 72, old, left,
	       size = strlen(path) + 1;
	struct buffer changed;
	int err;

	old = strnlen((const char *)record->data + begin, record->size - begin) + 1;
	old = (old + 7) / 8 * 8;
	if (begin + old > record->size)
		return 0;
	left = record->size - begin - old;
	buffer__init(&changed, 0);
	buffer__append(&changed, record->data, begin);
	buffer__append(&changed, path, size);
	buffer__zeros(&changed, -size % 8);
	buffer__append(&changed, record->data + begin + old, left);
	if (!changed.error && changed.size <= PERFDATA_RECORD_MAX) {
		buffer__truncate(record, 0);
		buffer__append(record, changed.data, changed.size);
		set_size(record, swap);
	}
	err = changed.error ? changed.error : record->error;
	buffer__free(&changed);
	return err;
}

static void remove_chain(struct buffer *record, const struct event *event, bool swap)
{
	size_t at = event->sample.callchain_at, size = 8 * (1 + event->sample.n_callchain);

	if (!at || at + size > record->size)
		return;
	memmove(record->data + at, record->data + at + size, record->size - at - size);
	buffer__truncate(record, record->size - size);
	set_size(record, swap);
}

/* Inserts PERF_SAMPLE_IDENTIFIER: first in a sample, last in other records. */
static int insert_id(struct buffer *record, size_t at, uint64_t id, bool swap)
{
	size_t after = record->size - at;

	if (record->size + sizeof(id) > PERFDATA_RECORD_MAX)
		return -EOVERFLOW;
	if (buffer__zeros(record, sizeof(id)))
		return record->error;
	id = swap ? bswap_64(id) : id;
	memmove(record->data + at + sizeof(id), record->data + at, after);
	memcpy(record->data + at, &id, sizeof(id));
	set_size(record, swap);
	return 0;
}

int record_change__apply(struct buffer *record, const struct event *event,
	const struct record_change *change, const struct input_events *events, bool swap)
{
	const struct input_id *id = NULL;
	struct patch patch;
	size_t id_at = 0;
	int err = 0;

	if (event->type >= PERF_RECORD_USER_TYPE_START)
		return 0;
	if (change->path)
		err = change_path(record, event, change->path, swap);
	patch = (struct patch){record->data, record->size, swap};
	if (!err && (event->kind == EVENT_SAMPLE || events->sample_id_all))
		err = find_event(&patch, event, events, &id);
	if (err)
		return err;
	if (event->kind == EVENT_SAMPLE) {
		change_counts(&patch, event, events);
		if (change->without_chain)
			remove_chain(record, event, swap);
		patch.size = record->size;
		change_sample(&patch, change, id ? id->sample_type : events->sample_type, id);
		id_at = sizeof(struct perf_event_header);
	} else {
		change_body(&patch, event, change);
		if (events->sample_id_all) {
			change_trailer(
				&patch, change, id ? id->sample_type : events->sample_type, id);
			id_at = record->size;
		}
	}
	return events->added_id && id_at ? insert_id(record, id_at, events->added_id, swap) : 0;
}
