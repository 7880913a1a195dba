/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks the records of one input: a perf.data file, a pipe, or a file data.N of a directory.
 * Decompresses compressed records. Knows where records begin and end, but not what they contain.
 */
#ifndef PERFSTAMP_PERFDATA_READ_WALK_H
#define PERFSTAMP_PERFDATA_READ_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/perfdata/input.h"

struct decompress;

struct walk {
	struct input in;
	char *name; /* for error texts; owned */
	bool swap;  /* in the other byte order */
	/* The state of the walk: */
	struct decompress *decompress; /* NULL until the first COMPRESSED record */
	bool decompressing;            /* the record at .in's offset is being decompressed */
	/* the rest of the stream is damaged, not only one record */
	bool stream_damaged;
	uint64_t pending; /* bytes of the input that the last record takes */
	uint64_t payload; /* bytes after it that are not a record */
	int stuck;        /* the error that ended the walk */
	struct error stuck_text;
};

void walk__init(struct walk *walk);
void walk__free(struct walk *walk);

/*
 * Returns the next record, compressed or not, which is valid until the next call. The result is 1,
 * 0 at the end, or an error with the place in @err, which sticks: -EBADMSG, -ENOMEM, or read's.
 */
int walk__next(struct walk *walk, const void **ret_record, size_t *ret_size, struct error *err);
/* Ends the walk with @code and @cause, to which the place is added. Returns @code. */
int walk__stick(struct walk *walk, int code, const char *cause, struct error *err);

/*
 * After -EBADMSG: returns true if the walk can continue, because only one record in a compressed
 * one is damaged. Otherwise the input is at the damage, and the caller has to search for the next
 * record.
 */
bool walk__recover(struct walk *walk);
/* Reads the bytes after the last record; see perfdata_reader__payload (reader.h). */
int walk__payload(struct walk *walk, void **ret, size_t *ret_size);
/* Returns the offset of the next record from the start of the input. */
uint64_t walk__offset(const struct walk *walk);

#endif
