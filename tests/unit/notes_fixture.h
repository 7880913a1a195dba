/* SPDX-License-Identifier: GPL-2.0-only */
/* Events to records with their notes, and back: for who includes cmocka.h. */
#ifndef PERFSTAMP_TESTS_NOTES_FIXTURE_H
#define PERFSTAMP_TESTS_NOTES_FIXTURE_H

#include <linux/perf_event.h>
#include <string.h>

#include "user/event/decode.h"
#include "user/perfdata/write/note_writer.h"

/* The trailer of the records, by which they belong to an event of this number. */
#define NOTES_SAMPLE_TYPE                                                                          \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)
#define NOTES_ID 0x99

/* Of records with such a trailer. The caller frees it. */
static inline struct event_decoder *notes__decoder(void)
{
	const struct perf_event_attr attr = {.sample_type = NOTES_SAMPLE_TYPE, .sample_id_all = 1};
	const uint64_t id = NOTES_ID;
	struct event_decoder *decoder;

	assert_int_equal(event_decoder__new(&decoder, false), 0);
	assert_int_equal(event_decoder__add_attr(decoder, &attr, &id, 1), 0);
	return decoder;
}

/* The record of @event and its notes, as the first of a file. */
static inline int notes__encode(
	struct buffer *out, const struct event *event, const struct encode_trailer *trailer)
{
	struct note_writer writer = {0};
	int err = note_writer__put(&writer, out, event, trailer);

	note_writer__free(&writer);
	return err;
}

/* All records of @in; *@ret is the last one. What the decoder says of the first that is none. */
static inline int notes__decode(
	struct event_decoder *decoder, const struct buffer *in, struct event *ret)
{
	struct error ignored;
	uint16_t size;
	int err = 0;

	for (size_t at = 0; !err && at < in->size; at += size) {
		memcpy(&size, in->data + at + offsetof(struct perf_event_header, size),
			sizeof(size));
		err = event_decoder__decode(decoder, in->data + at, size, ret, &ignored);
	}
	return err;
}

#endif
