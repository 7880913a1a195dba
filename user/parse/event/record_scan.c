// SPDX-License-Identifier: GPL-2.0-only
/*
 * See record_scan.h. Samples have their fields at the start; all other records have a trailer of
 * fields at the end.
 */
#include "user/parse/event/record_scan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"

static uint64_t load_u64(const unsigned char *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* Returns the size of these fields, which have 8 bytes each. */
static size_t fields_size(uint64_t sample_type, uint64_t fields)
{
	return 8 * (size_t)__builtin_popcountll(sample_type & fields);
}

struct record_layout record_layout__of(uint64_t sample_type)
{
	const uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	const uint64_t behind = PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU;
	size_t header = sizeof(struct perf_event_header);
	struct record_layout layout = {
		.sample_size = header + fields_size(sample_type, before | PERF_SAMPLE_TIME |
									 PERF_SAMPLE_ADDR | behind),
		.other_size = header + fields_size(sample_type, PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
									behind |
									PERF_SAMPLE_IDENTIFIER),
	};

	if (sample_type & PERF_SAMPLE_TIME) {
		layout.sample_time = header + fields_size(sample_type, before);
		layout.other_time = fields_size(
			sample_type, PERF_SAMPLE_TIME | behind | PERF_SAMPLE_IDENTIFIER);
	}
	return layout;
}

/* Whether a whole record begins at @header, in @left bytes. */
static bool is_record(
	const struct perf_event_header *header, size_t left, const struct record_layout *layout)
{
	return left >= sizeof(*header) && header->size <= left && header->size % 8 == 0 &&
	       header->size >= (header->type == PERF_RECORD_SAMPLE ? layout->sample_size
								   : layout->other_size);
}

static struct record_view view(
	const struct perf_event_header *header, const struct record_layout *layout)
{
	const unsigned char *record = (const void *)header;
	struct record_view view = {.header = header};

	if (!layout->sample_time)
		return view;
	view.time_ns = load_u64(header->type == PERF_RECORD_SAMPLE
					? record + layout->sample_time
					: record + header->size - layout->other_time);
	return view;
}

int record_view__next(const void **cursor, const void *end, const struct record_layout *layout,
	struct record_view *ret)
{
	const unsigned char *record = *cursor;
	size_t left = (const unsigned char *)end - record;

	if (!left)
		return 0;
	if (!is_record(*cursor, left, layout))
		return -EBADMSG;
	*ret = view(*cursor, layout);
	*cursor = record + ret->header->size;
	return 1;
}

static int add(struct record_list *list, struct record_view record)
{
	if (array__reserve(&list->v, &list->room, list->n + 1, sizeof(*list->v)))
		return -ENOMEM;
	list->types |= RECORD_TYPE(record.header->type);
	list->v[list->n++] = record;
	return 0;
}

/* In LOST, an id precedes the number of records. */
static int count_lost(
	struct record_counts *counts, const struct perf_event_header *header, size_t trailer)
{
	const unsigned char *body = (const unsigned char *)(header + 1);
	size_t at = header->type == PERF_RECORD_LOST ? 8 : 0;

	if (header->size < trailer + at + 8)
		return -EBADMSG;
	*(at ? &counts->lost_records : &counts->lost_samples) += load_u64(body + at);
	return 0;
}

int record_list__read(struct record_list *ret, struct record_counts *counts, uint64_t wanted,
	const struct record_layout *layout, const void *records, size_t size)
{
	const unsigned char *at = records, *end = at + size;
	const struct perf_event_header *header;
	int code = 0;

	ret->n = 0;
	ret->types = 0;
	for (; !code && at < end; at += header->size) {
		header = (const void *)at;
		if (!is_record(header, end - at, layout))
			return -EBADMSG;
		if (header->type == PERF_RECORD_SAMPLE)
			counts->samples++;
		else if (header->type == PERF_RECORD_LOST ||
			 header->type == PERF_RECORD_LOST_SAMPLES)
			code = count_lost(counts, header, layout->other_size);
		else if (header->type < 64 && wanted & RECORD_TYPE(header->type))
			code = add(ret, view(header, layout));
	}
	return code;
}

void record_list__free(struct record_list *list)
{
	free(list->v);
}

bool record_ksymbol__read(struct record_ksymbol *ret, const struct record_view *view)
{
	struct {
		uint64_t addr;
		uint32_t len;
		uint16_t ksym_type;
		uint16_t flags;
	} symbol;
	const char *name = (const char *)(view->header + 1) + sizeof(symbol);
	size_t head = sizeof(*view->header) + sizeof(symbol);

	if (view->header->size < head)
		return false;
	memcpy(&symbol, view->header + 1, sizeof(symbol));
	*ret = (struct record_ksymbol){
		.addr = symbol.addr,
		.len = symbol.len,
		.ksym_type = symbol.ksym_type,
		.unregister = symbol.flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER,
		.name = memchr(name, '\0', view->header->size - head) ? name : NULL,
	};
	return true;
}

/* Bytes before the name in KSYMBOL; size of BPF_EVENT without its trailer. */
#define BEFORE_NAME 24

/*
 * Returns the number of bytes before an early trailer; 0: the trailer is at the end of the record.
 */
static size_t before_early_trailer(const struct record_layout *layout,
	const struct perf_event_header *header, const unsigned char *record)
{
	size_t trailer = layout->other_size - sizeof(*header), before = BEFORE_NAME;
	const char *name = (const char *)record + before;

	if ((header->type != PERF_RECORD_KSYMBOL && header->type != PERF_RECORD_BPF_EVENT) ||
		header->size <= before + trailer)
		return 0;
	if (header->type == PERF_RECORD_KSYMBOL)
		before += (strnlen(name, header->size - before) + 1 + 7) / 8 * 8;
	return before + trailer < header->size ? before : 0;
}

bool record_trailers__are_early(
	const struct record_layout *layout, const void *records, size_t size)
{
	const unsigned char *at = records, *end = at + size;
	const struct perf_event_header *header;

	for (; at < end; at += header->size) {
		header = (const void *)at;
		if (!is_record(header, end - at, layout))
			return false;
		if (before_early_trailer(layout, header, at))
			return true;
	}
	return false;
}

void record_trailers__move(const struct record_layout *layout, void *records, size_t size)
{
	unsigned char *at = records, *end = at + size;
	size_t trailer = layout->other_size - sizeof(struct perf_event_header), before;
	const struct perf_event_header *header;

	for (; at < end; at += header->size) {
		header = (const void *)at;
		if (!is_record(header, end - at, layout))
			return;
		before = before_early_trailer(layout, header, at);
		if (!before)
			continue;
		/* Source and target may overlap. */
		memmove(at + header->size - trailer, at + before, trailer);
		memset(at + before, 0, header->size - trailer - before);
	}
}

static void replace_id(const struct record_ids *ids, unsigned char *at)
{
	uint64_t id = load_u64(at);

	for (size_t i = 0; i < ids->n; i++)
		if (ids->ids[i].found == id) {
			memcpy(at, &ids->ids[i].told, sizeof(id));
			return;
		}
}

void record_ids__replace(const struct record_ids *ids, bool identified, void *records, size_t size)
{
	unsigned char *at = records, *end = at + size;
	struct perf_event_header header;

	for (; (size_t)(end - at) >= sizeof(header) + 8; at += header.size) {
		memcpy(&header, at, sizeof(header));
		if (header.size < sizeof(header) + 8 || header.size > (size_t)(end - at))
			return;
		/*
		 * PERF_SAMPLE_IDENTIFIER is the first field of a sample, and the last one of other
		 * records.
		 */
		if (identified)
			replace_id(ids, header.type == PERF_RECORD_SAMPLE ? at + sizeof(header)
									  : at + header.size - 8);
		/* LOST also has the id of the event whose records were lost. */
		if (header.type == PERF_RECORD_LOST)
			replace_id(ids, at + sizeof(header));
	}
}
