/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decompresses COMPRESSED records. They contain one zstd stream, whose records may begin in one
 * COMPRESSED record and end in the next. Pure, and bounded: a stream may use a window of at most
 * 128 MiB, and only one record is kept.
 */
#ifndef PERFSTAMP_PERFDATA_DECOMPRESS_H
#define PERFSTAMP_PERFDATA_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>

struct decompress;

int decompress__new(struct decompress **ret, bool swap);
void decompress__free(struct decompress *decompress);
/* Sets the next piece of the stream, which must be valid until all of it is used. */
void decompress__feed(struct decompress *decompress, const void *bytes, size_t size);
/*
 * Returns the next whole record, which is valid until the next call. The result is 1, 0 if the next
 * piece is needed, or -EBADMSG.
 */
int decompress__next(struct decompress *decompress, const void **ret_record, size_t *ret_size);
/* Whether the stream so far ends inside a record. */
bool decompress__is_partial(const struct decompress *decompress);

#endif
