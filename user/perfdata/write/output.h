/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The writer's output: a buffer of pending bytes, a file descriptor, and an error that
 * sticks. Knows only that records have a size, and the position of data.size in the header.
 */
#ifndef PERFSTAMP_PERFDATA_OUTPUT_H
#define PERFSTAMP_PERFDATA_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/error.h"
#include "user/perfdata/layout.h"

#define OUTPUT_TAIL_MAX (2 * sizeof(struct perfdata_section))

struct output {
	int fd;
	char *name;
	struct buffer pending; /* append here, then flush */
	uint64_t written;      /* bytes before pending */
	uint64_t data_offset;
	bool in_records; /* pending holds whole records */
	/* See output__keep_behind. */
	size_t tail_size; /* 0: there is none */
	uint8_t tail[OUTPUT_TAIL_MAX];
	uint8_t held[OUTPUT_TAIL_MAX]; /* the records that belong at the tail's place */
	uint64_t tail_at;              /* 0 before the first checkpoint */
	struct error stuck_text;
	int stuck; /* the first error of a write; never cleared */
};

int output__init(struct output *out, int fd, const char *name);
void output__free(struct output *out);
/* From now on, records are appended; the first is at @data_offset. */
void output__begin_records(struct output *out, uint64_t data_offset);
void output__end_records(struct output *out);
/*
 * From the next checkpoint on, the table @sections of one or two entries stands right
 * behind the data of each checkpoint, where perf looks for the features: for those without
 * which it does not read the file at all. The records that belong there are held back until
 * the next checkpoint. A kill during a checkpoint, between two of its writes, can leave
 * wrong bytes at the start of the last round.
 */
void output__keep_behind(struct output *out, const struct perfdata_section *sections, size_t n);
/* A checkpoint here would be skipped, because the new tail would overlap the old one. */
bool output__is_near_tail(const struct output *out);
int output__flush(struct output *out, struct error *err);
int output__flush_if_full(struct output *out, struct error *err);
/*
 * Sets data.size in the file's header to what has been written. If a write failed within
 * the data, output__flush has already done this, up to the last whole record. With a tail,
 * a checkpoint is skipped if it follows the last one by less than the tail's size.
 */
int output__checkpoint(struct output *out, struct error *err);
int output__rewrite(
	struct output *out, uint64_t offset, const void *bytes, size_t size, struct error *err);
/*
 * Ends the file: sets the end of the data, @data_end, and the feature bits of the table
 * there in one write; then writes the records that the tail held back.
 */
int output__put_header(
	struct output *out, uint64_t data_end, const uint64_t *bits, struct error *err);
uint64_t output__position(const struct output *out); /* pending bytes included */

#endif
