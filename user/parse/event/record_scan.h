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

/* Where records have their time: bytes from a sample's begin, and from the end of others. */
struct record_layout {
	size_t sample_size; /* at least */
	size_t sample_time; /* 0: there is none */
	size_t other_size;
	size_t other_time;
};

struct record_layout record_layout__of(uint64_t sample_type);

struct record_view {
	const struct perf_event_header *header;
	uint64_t time_ns; /* 0: the record has none */
};

/*
 * Looks at the record at *@cursor, of at most @end - *@cursor bytes, and moves
 * *@cursor behind it. @cursor is 8-byte aligned. Returns 1, 0 at the end, or
 * -EBADMSG for what is no whole record.
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

/* The records of a span that have consumers, in order. */
struct record_list {
	struct record_view *v;
	size_t n;
	size_t room;
	uint64_t types; /* that are among them, as RECORD_TYPE */
};

/*
 * Makes one pass over whole records: adds to @counts, and lists those of @wanted types
 * (RECORD_TYPE) in @ret, which is emptied first and points into @records. Returns 0,
 * -ENOMEM, or -EBADMSG for what is no whole record; what was before it is counted.
 */
int record_list__read(struct record_list *ret, struct record_counts *counts, uint64_t wanted,
	const struct record_layout *layout, const void *records, size_t size);
void record_list__free(struct record_list *list);

/* PERF_RECORD_KSYMBOL, whose name is in the record. */
struct record_ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t ksym_type;
	bool unregister;
	const char *name; /* NULL: it has no end */
};

/* Returns false if the record is too short for one. */
bool record_ksymbol__read(struct record_ksymbol *ret, const struct record_view *view);

/*
 * Many kernels (6.18.44 is one) write a KSYMBOL or BPF_EVENT to several events with a size that
 * grows from one event to the next: the trailer is where it has to be for the least size, and up to
 * the record's end is what was in the ring before.
 */
bool record_trailers__are_early(
	const struct record_layout *layout, const void *records, size_t size);
/* Moves these trailers to the ends of their whole records, with zeros before them. */
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
 * Puts .told in the place of each .found into whole records of events as above, of which no
 * sample has more ids than that one; without @identified, records have no PERF_SAMPLE_IDENTIFIER.
 * Others stay, and so does what is no whole record.
 */
void record_ids__replace(const struct record_ids *ids, bool identified, void *records, size_t size);

#endif
