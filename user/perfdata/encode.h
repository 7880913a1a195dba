/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Encodes a struct event as the bytes of a perf record. Pure: appends to a buffer, and does
 * not know files. Each call appends one whole record, a multiple of 8 bytes, or nothing.
 */
#ifndef PERFSTAMP_PERFDATA_ENCODE_H
#define PERFSTAMP_PERFDATA_ENCODE_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/event/event.h"

/* Contents of the sample_id trailer other than the event's own pid, tid, time and cpu. */
struct encode_trailer {
	uint64_t sample_type; /* of the attribute to which @id belongs */
	uint64_t id;
	uint16_t note; /* for an MMAP2: number of the note with its extension; 0: none */
};

/*
 * Encodes MAP, COMM, FORK, EXIT, LOST, CGROUP, NAMESPACES, KSYMBOL, BPF, MODULE of the type
 * PERF_RECORD_MMAP2, and PERF_RECORD_SWITCH, in perf's layouts; note_writer.h adds perfstamp's own
 * data. An unknown cpu (UINT32_MAX) is written as 0, as in the records that perf makes itself,
 * because viewers index arrays by it. Returns 0, -EINVAL for other kinds, -EOVERFLOW for a record
 * over 64 KiB, or the buffer's error.
 */
int encode__event(
	struct buffer *out, const struct event *event, const struct encode_trailer *trailer);

/*
 * Encodes a note (docs/format.md) of @size bytes: an extension, and the data that follows it. A
 * note with the time 0 is read before everything that is sorted by time. Returns 0, -EOVERFLOW, or
 * the buffer's error.
 */
#define ENCODE_NOTE_MAX                                                                            \
	((PERFSTAMP_NOTE_PATH_MAX - sizeof(PERFSTAMP_NOTE_PREFIX)) / 4 * 3) /* bytes */
int encode__note(struct buffer *out, uint64_t time_ns, const void *bytes, size_t size,
	const struct encode_trailer *trailer);

/* Encodes a record that consists of its header only: FINISHED_ROUND, FINISHED_INIT. */
int encode__mark(struct buffer *out, uint32_t type);

/* Encodes an attribute as in a file: PERFDATA_ATTR_SIZE bytes, with that size in .size. */
int encode__attr(struct buffer *out, const struct perf_event_attr *attr);

/* The number of ids that fit into the record of an attribute. */
#define ENCODE_IDS_MAX ((65528 - 8 - 128) / 8)

/* The records that replace a file's header in a pipe. */
int encode__header_attr(
	struct buffer *out, const struct perf_event_attr *attr, const uint64_t *ids, size_t n_ids);
int encode__event_name(struct buffer *out, uint64_t id, const char *name);
/*
 * Encodes the record, and then @bytes with padding. They are not part of the record, so its maximum
 * size does not apply to them.
 */
int encode__tracing_data(struct buffer *out, const void *bytes, size_t size);
int encode__header_feature(struct buffer *out, uint64_t feature, const void *bytes, size_t size);

#endif
