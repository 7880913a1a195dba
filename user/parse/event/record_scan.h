/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scans raw records of this machine's perf rings for their types and times, without
 * decoding the rest. For events that all have sample_id_all and the same trailer. Layout:
 * include/uapi/linux/perf_event.h, enum perf_event_type.
 */
#ifndef PERFSTAMP_PARSE_RECORD_SCAN_H
#define PERFSTAMP_PARSE_RECORD_SCAN_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The place of the time in records: bytes from the start of a sample, and from the end of others.
 */
struct record_layout {
	size_t sample_size; /* minimum size of a sample */
	size_t sample_time; /* 0: samples have no time */
	size_t other_size;
	size_t other_time;
};

struct record_layout record_layout__of(uint64_t sample_type);

struct record_view {
	const struct perf_event_header *header;
	uint64_t time_ns; /* 0: the record has none */
};

/*
 * Reads the record at *@cursor, of at most @end - *@cursor bytes, and moves *@cursor behind it.
 * *@cursor must be 8-byte aligned. Returns 1, 0 at the end, or -EBADMSG if it is not a whole
 * record.
 */
int record_view__next(const void **cursor, const void *end, const struct record_layout *layout,
	struct record_view *ret);

struct record_counts {
	uint64_t samples;
	uint64_t lost_records; /* sum of PERF_RECORD_LOST */
	uint64_t lost_samples; /* sum of PERF_RECORD_LOST_SAMPLES */
};

/* A set of types of records, all below 64. */
#define RECORD_TYPE(type) (1ull << (type))

/* The records in a span that have consumers, in order. */
struct record_list {
	struct record_view *v;
	size_t n;
	size_t room;
	uint64_t types; /* the types that occur, as RECORD_TYPE */
};

/*
 * Makes one pass over whole records: adds to @counts, and lists those of the @wanted types
 * (RECORD_TYPE) in @ret, which is emptied first and points into @records. Returns 0, -ENOMEM, or
 * -EBADMSG at an incomplete record; the records before it are then counted.
 */
int record_list__read(struct record_list *ret, struct record_counts *counts, uint64_t wanted,
	const struct record_layout *layout, const void *records, size_t size);
void record_list__free(struct record_list *list);

/* PERF_RECORD_KSYMBOL. The name points into the record. */
struct record_ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t ksym_type;
	bool unregister;
	const char *name; /* NULL: it has no NUL */
};

/* Returns false if the record is too short for one. */
bool record_ksymbol__read(struct record_ksymbol *ret, const struct record_view *view);

/*
 * Many kernels (such as 6.18.44) write a KSYMBOL or BPF_EVENT to several events with a size that
 * grows from one event to the next. The trailer is then where the smallest size requires it, and
 * the bytes after it are older content of the ring. Returns whether the kernel has this error.
 */
bool record_trailers__are_early(
	const struct record_layout *layout, const void *records, size_t size);
/* Moves such trailers to the ends of their records, with zeros before them. */
void record_trailers__move(const struct record_layout *layout, void *records, size_t size);

/* Ids of events, and their replacements in records. */
struct record_id {
	uint64_t found;
	uint64_t told;
};

struct record_ids {
	const struct record_id *ids;
	size_t n;
};

/*
 * Replaces each .found by .told in whole records of events as above, whose samples contain no other
 * id. Without @identified, records have no PERF_SAMPLE_IDENTIFIER. Other ids and incomplete records
 * are not changed.
 */
void record_ids__replace(const struct record_ids *ids, bool identified, void *records, size_t size);

#endif
