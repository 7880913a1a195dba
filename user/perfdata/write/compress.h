/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Converts records to COMPRESSED records. Each of these contains whole records and a zstd frame of
 * its own, so that a file can be read up to any of them. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_COMPRESS_H
#define PERFSTAMP_PERFDATA_COMPRESS_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"

#define COMPRESS_CHUNK (256u << 10) /* maximum bytes of records in one COMPRESSED record */

struct compress;

/* @level: of zstd, 1 to 22. Returns 0 or -ENOMEM. */
int compress__new(struct compress **ret, int level);
void compress__free(struct compress *compress);
/*
 * Appends @size bytes of whole records to @out, compressed. Returns 0, -EINVAL or the
 * buffer's error.
 */
int compress__records(
	struct compress *compress, const void *records, size_t size, struct buffer *out);
/* Appends the bytes of the COMPRESSED feature, with the current ratio. */
int compress__feature(const struct compress *compress, struct buffer *out);

#endif
