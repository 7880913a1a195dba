/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A light look at raw records of this machine's perf rings: what they are, of
 * which thread and when, without decoding the rest. For events that all have
 * PERF_SAMPLE_IDENTIFIER, sample_id_all and the same trailer. Layout:
 * include/uapi/linux/perf_event.h, enum perf_event_type.
 */
#ifndef PERFSTAMP_PARSE_RECORD_SCAN_H
#define PERFSTAMP_PARSE_RECORD_SCAN_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

/* What every record tells. Fields that sample_type leaves out are 0, cpu UINT32_MAX. */
struct record_view {
	const struct perf_event_header *header;
	uint64_t id;
	uint64_t time_ns;
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
};

struct record_counts {
	uint64_t records;
	uint64_t samples;
	uint64_t ksymbols;        /* PERF_RECORD_KSYMBOL */
	uint64_t cgroups;         /* PERF_RECORD_CGROUP */
	uint64_t lost_records;    /* sum of PERF_RECORD_LOST */
	uint64_t lost_samples;    /* sum of PERF_RECORD_LOST_SAMPLES */
	uint64_t first_sample_ns; /* 0 where there was none */
	uint64_t last_sample_ns;
	uint64_t newest_ns; /* of all records */
};

/*
 * Looks at the record at *@cursor, of at most @end - *@cursor bytes, and moves
 * *@cursor behind it. @cursor is 8-byte aligned. Returns 1, 0 at the end, or
 * -EBADMSG for what is no whole record.
 */
int record_view__next(
	const void **cursor, const void *end, uint64_t sample_type, struct record_view *ret);

/* Adds the records of a span to @counts. Returns 0 or -EBADMSG; what was before it is counted. */
int record_counts__add(
	struct record_counts *counts, const void *records, size_t size, uint64_t sample_type);

/* Ids of events that are to be replaced in their records. */
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
 * sample has more ids than that one. Others stay, and so does what is no whole record.
 */
void record_ids__replace(const struct record_ids *ids, void *records, size_t size);

#endif
