/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks the records of one input: a perf.data file, a pipe, or a file data.N of a
 * directory. Decompresses what is compressed. Knows where records begin and end, not what
 * they contain.
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
	bool swap;  /* the other byte order */
	/* Of an input that is walked: */
	struct decompress *decompress; /* NULL until a COMPRESSED record comes */
	bool decompressing;            /* the record at the input's offset */
	bool stream_damaged;           /* not one record of it, but all that follows */
	uint64_t pending;              /* bytes of the input that the last record took */
	uint64_t payload;              /* and bytes behind it that are no record */
	int stuck;                     /* what ended the walk */
	struct error stuck_text;
};

void walk__init(struct walk *walk);
void walk__free(struct walk *walk);

/*
 * The next record, out of a compressed one or not; valid until the next call.
 * Returns 1, 0 at the end, or an error with the place in @err, which sticks:
 * -EBADMSG, -ENOMEM, or read's.
 */
int walk__next(struct walk *walk, const void **ret_record, size_t *ret_size, struct error *err);
/* Ends the walk with @code and @cause, to which the place is added. Returns @code. */
int walk__stick(struct walk *walk, int code, const char *cause, struct error *err);

/*
 * After -EBADMSG. True if the walk can continue as it is, because only one record in a
 * compressed one is damaged. Otherwise the input is at the damage, and the caller has to
 * look for a record there.
 */
bool walk__recover(struct walk *walk);
/* The bytes behind the last record, as perfdata_reader__payload (reader.h). */
int walk__payload(struct walk *walk, void **ret, size_t *ret_size);
/* Where the next record begins, in bytes from the start of the input. */
uint64_t walk__offset(const struct walk *walk);

#endif
