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
	bool is_pipe;          /* with a reader, which may be slow */
	struct buffer pending; /* append here, then flush */
	uint64_t written;      /* bytes of the file before .pending */
	uint64_t data_offset;
	bool in_records; /* pending holds whole records */
	/* Numbers of samples; the caller sets the first before each flush. */
	uint64_t samples;         /* written or pending */
	uint64_t samples_written; /* before .pending */
	uint64_t samples_kept;    /* up to data.size: all that a reader finds */
	/* See output__keep_behind. */
	size_t tail_size; /* 0: there is none */
	uint8_t tail[OUTPUT_TAIL_MAX];
	uint8_t held[OUTPUT_TAIL_MAX]; /* the records that belong at the place of the tail */
	uint64_t tail_at;              /* offset; 0 before the first checkpoint */
	struct error stuck_text;
	int stuck; /* the first error of a write; never cleared */
};

int output__init(struct output *out, int fd, const char *name);
void output__free(struct output *out);
/* From now on, records are appended; the first is at @data_offset. */
void output__begin_records(struct output *out, uint64_t data_offset);
void output__end_records(struct output *out);
/*
 * From the next checkpoint on, the table @sections of one or two entries is right behind the data
 * of each checkpoint, where perf expects the features. These are the features without which perf
 * cannot read the file at all. The records that belong at that place are held back until the next
 * checkpoint. A kill between two writes of a checkpoint can leave wrong bytes at the start of the
 * last round.
 */
void output__keep_behind(struct output *out, const struct perfdata_section *sections, size_t n);
/* Whether a checkpoint would be skipped here, because the new tail would overlap the old one. */
bool output__is_near_tail(const struct output *out);
int output__flush(struct output *out, struct error *err);
int output__flush_if_full(struct output *out, struct error *err);
/*
 * Sets data.size in the file's header to what has been written. If a write of data failed,
 * output__flush() has already done this, up to the last whole record. With a tail, a checkpoint is
 * skipped if fewer bytes than the tail's size follow the last one.
 */
int output__checkpoint(struct output *out, struct error *err);
int output__rewrite(
	struct output *out, uint64_t offset, const void *bytes, size_t size, struct error *err);
/*
 * Ends the file: in one write, sets the end of the data, @data_end, and the feature bits of the
 * table there. Then writes the records that the tail held back.
 */
int output__put_header(
	struct output *out, uint64_t data_end, const uint64_t *bits, struct error *err);
uint64_t output__position(const struct output *out); /* including pending bytes */

#endif
