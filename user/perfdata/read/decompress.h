/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records inside COMPRESSED records: one zstd stream that runs through
 * them, whose records may begin in one and end in the next. Pure, and bounded:
 * a stream may ask for a window of 128 MiB at most, and no more than one record
 * is held.
 */
#ifndef PERFSTAMP_PERFDATA_DECOMPRESS_H
#define PERFSTAMP_PERFDATA_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>

struct decompress;

int decompress__new(struct decompress **ret, bool swap);
void decompress__free(struct decompress *decompress);
/* The next piece of the stream, which has to stay until all of it is used up. */
void decompress__feed(struct decompress *decompress, const void *bytes, size_t size);
/*
 * The next whole record, valid until the next call. Returns 1 with it, 0 if the next piece
 * is needed, or -EBADMSG.
 */
int decompress__next(struct decompress *decompress, const void **ret_record, size_t *ret_size);
/* Whether the stream so far ends inside a record. */
bool decompress__is_partial(const struct decompress *decompress);

#endif
