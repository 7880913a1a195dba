/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The writer's way to the disk: a buffer of pending bytes, a file descriptor,
 * and an error that sticks. Knows of perf.data only that records have a size,
 * and where data.size stands in the header.
 */
#ifndef PERFSTAMP_PERFDATA_OUTPUT_H
#define PERFSTAMP_PERFDATA_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/error.h"
#include "user/perfdata/layout.h"

#define OUTPUT_TAIL_SIZE sizeof(struct perfdata_section)

struct output {
	int fd;
	char *name;
	struct buffer pending; /* append here, then flush */
	uint64_t written;      /* bytes before pending */
	uint64_t data_offset;
	bool in_records; /* pending holds whole records */
	/* See output__keep_behind. */
	bool has_tail;
	uint8_t tail[OUTPUT_TAIL_SIZE];
	uint8_t held[OUTPUT_TAIL_SIZE]; /* what belongs where the tail stands now */
	uint64_t tail_at;               /* 0 before the first checkpoint */
	struct error stuck_text;
	int stuck; /* the first error of a write, for ever */
};

int output__init(struct output *out, int fd, const char *name);
void output__free(struct output *out);
/* What is appended from now on are records, the first at @data_offset. */
void output__begin_records(struct output *out, uint64_t data_offset);
void output__end_records(struct output *out);
/*
 * From the next checkpoint on, @tail stands right behind the data of each
 * checkpoint, where perf looks for the table of features: for a feature without
 * which perf does not open the file at all. The records that belong there are
 * held back until the next checkpoint. A kill amid a checkpoint, between two of
 * its writes, can leave 16 bytes wrong where the last round begins.
 */
void output__keep_behind(struct output *out, const struct perfdata_section *tail);
int output__flush(struct output *out, struct error *err);
int output__flush_if_full(struct output *out, struct error *err);
/*
 * Sets data.size in the file's header to what has been written. Where a write
 * failed in the midst of the data, output__flush has done this already, up to
 * the last record that is whole. With a tail, a checkpoint less than its size
 * behind the last one is left out.
 */
int output__checkpoint(struct output *out, struct error *err);
int output__rewrite(
	struct output *out, uint64_t offset, const void *bytes, size_t size, struct error *err);
uint64_t output__position(const struct output *out); /* pending bytes included */

#endif
