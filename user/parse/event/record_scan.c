// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples have their fields in front, all other records have a trailer of
 * fields at their end. Knows no ring and no file.
 */
#include "user/parse/event/record_scan.h"

#include <errno.h>
#include <string.h>

/* Fields of 8 bytes each, in the order in which they stand. */
static size_t field_size(uint64_t sample_type, uint64_t field)
{
	return sample_type & field ? 8 : 0;
}

static uint64_t load_u64(const unsigned char *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static void load_tid(const unsigned char *at, struct record_view *ret)
{
	memcpy(&ret->pid, at, sizeof(ret->pid));
	memcpy(&ret->tid, at + sizeof(ret->pid), sizeof(ret->tid));
}

static int view_sample(
	const unsigned char *record, size_t size, uint64_t sample_type, struct record_view *ret)
{
	size_t at = sizeof(struct perf_event_header);
	size_t need = at + field_size(sample_type, PERF_SAMPLE_IDENTIFIER) +
		      field_size(sample_type, PERF_SAMPLE_IP) +
		      field_size(sample_type, PERF_SAMPLE_TID) +
		      field_size(sample_type, PERF_SAMPLE_TIME) +
		      field_size(sample_type, PERF_SAMPLE_ADDR) +
		      field_size(sample_type, PERF_SAMPLE_ID) +
		      field_size(sample_type, PERF_SAMPLE_STREAM_ID) +
		      field_size(sample_type, PERF_SAMPLE_CPU);

	if (size < need)
		return -EBADMSG;
	if (sample_type & PERF_SAMPLE_IDENTIFIER) {
		ret->id = load_u64(record + at);
		at += 8;
	}
	at += field_size(sample_type, PERF_SAMPLE_IP);
	if (sample_type & PERF_SAMPLE_TID) {
		load_tid(record + at, ret);
		at += 8;
	}
	if (sample_type & PERF_SAMPLE_TIME) {
		ret->time_ns = load_u64(record + at);
		at += 8;
	}
	at += field_size(sample_type, PERF_SAMPLE_ADDR);
	at += field_size(sample_type, PERF_SAMPLE_ID);
	at += field_size(sample_type, PERF_SAMPLE_STREAM_ID);
	if (sample_type & PERF_SAMPLE_CPU)
		memcpy(&ret->cpu, record + at, sizeof(ret->cpu));
	return 1;
}

static int view_other(
	const unsigned char *record, size_t size, uint64_t sample_type, struct record_view *ret)
{
	const unsigned char *at = record + size;
	size_t need = sizeof(struct perf_event_header) + field_size(sample_type, PERF_SAMPLE_TID) +
		      field_size(sample_type, PERF_SAMPLE_TIME) +
		      field_size(sample_type, PERF_SAMPLE_ID) +
		      field_size(sample_type, PERF_SAMPLE_STREAM_ID) +
		      field_size(sample_type, PERF_SAMPLE_CPU) +
		      field_size(sample_type, PERF_SAMPLE_IDENTIFIER);

	if (size < need)
		return -EBADMSG;
	if (sample_type & PERF_SAMPLE_IDENTIFIER) {
		at -= 8;
		ret->id = load_u64(at);
	}
	if (sample_type & PERF_SAMPLE_CPU) {
		at -= 8;
		memcpy(&ret->cpu, at, sizeof(ret->cpu));
	}
	at -= field_size(sample_type, PERF_SAMPLE_STREAM_ID);
	at -= field_size(sample_type, PERF_SAMPLE_ID);
	if (sample_type & PERF_SAMPLE_TIME) {
		at -= 8;
		ret->time_ns = load_u64(at);
	}
	if (sample_type & PERF_SAMPLE_TID) {
		at -= 8;
		load_tid(at, ret);
	}
	return 1;
}

int record_view__next(
	const void **cursor, const void *end, uint64_t sample_type, struct record_view *ret)
{
	const unsigned char *record = *cursor;
	size_t left = (const unsigned char *)end - record;
	int r;

	if (!left)
		return 0;
	memset(ret, 0, sizeof(*ret));
	ret->cpu = UINT32_MAX;
	ret->header = *cursor;
	if (left < sizeof(*ret->header) || ret->header->size < sizeof(*ret->header) ||
		ret->header->size % 8 || ret->header->size > left)
		return -EBADMSG;
	if (ret->header->type == PERF_RECORD_SAMPLE)
		r = view_sample(record, ret->header->size, sample_type, ret);
	else
		r = view_other(record, ret->header->size, sample_type, ret);
	if (r > 0)
		*cursor = record + ret->header->size;
	return r;
}

int record_counts__add(
	struct record_counts *counts, const void *records, size_t size, uint64_t sample_type)
{
	const void *end = (const unsigned char *)records + size;
	struct record_view view;
	int r;

	while ((r = record_view__next(&records, end, sample_type, &view)) > 0) {
		const unsigned char *body = (const unsigned char *)(view.header + 1);
		size_t body_size = view.header->size - sizeof(*view.header);

		counts->records++;
		if (view.time_ns > counts->newest_ns)
			counts->newest_ns = view.time_ns;
		switch (view.header->type) {
		case PERF_RECORD_SAMPLE:
			counts->samples++;
			/* Rings are read one after the other: times come unordered. */
			if (!counts->first_sample_ns || view.time_ns < counts->first_sample_ns)
				counts->first_sample_ns = view.time_ns;
			if (view.time_ns > counts->last_sample_ns)
				counts->last_sample_ns = view.time_ns;
			break;
		case PERF_RECORD_CGROUP:
			counts->cgroups++;
			break;
		case PERF_RECORD_KSYMBOL:
			counts->ksymbols++;
			break;
		case PERF_RECORD_LOST: /* id, lost */
			if (body_size < 16)
				return -EBADMSG;
			counts->lost_records += load_u64(body + 8);
			break;
		case PERF_RECORD_LOST_SAMPLES: /* lost */
			if (body_size < 8)
				return -EBADMSG;
			counts->lost_samples += load_u64(body);
			break;
		default:
			break;
		}
	}
	return r;
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

void record_ids__replace(const struct record_ids *ids, void *records, size_t size)
{
	unsigned char *at = records, *end = at + size;
	struct perf_event_header header;

	for (; (size_t)(end - at) >= sizeof(header) + 8; at += header.size) {
		memcpy(&header, at, sizeof(header));
		if (header.size < sizeof(header) + 8 || header.size > (size_t)(end - at))
			return;
		/* PERF_SAMPLE_IDENTIFIER is the first of a sample and the last of others. */
		if (header.type == PERF_RECORD_SAMPLE) {
			replace_id(ids, at + sizeof(header));
			continue;
		}
		replace_id(ids, at + header.size - 8);
		/* Whose records were lost. */
		if (header.type == PERF_RECORD_LOST)
			replace_id(ids, at + sizeof(header));
	}
}
