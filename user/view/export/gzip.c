// SPDX-License-Identifier: GPL-2.0-only
/* See gzip.h. */
#include "user/view/export/gzip.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>
#include <zlib.h>

#define GZIP_HEADER 16 /* added to zlib's window bits */
#define MEMORY_LEVEL 8 /* zlib's default */

struct gzip {
	z_stream zlib;
	FILE *out;
	unsigned char bytes[65536];
};

/* Passes the bytes at .next_in through zlib. Returns 0 or -1. */
static int deflate_all(struct gzip *gzip, int flush)
{
	size_t n;
	int code;

	do {
		gzip->zlib.next_out = gzip->bytes;
		gzip->zlib.avail_out = sizeof(gzip->bytes);
		code = deflate(&gzip->zlib, flush);
		if (code == Z_STREAM_ERROR)
			return -1;
		n = sizeof(gzip->bytes) - gzip->zlib.avail_out;
		if (fwrite(gzip->bytes, 1, n, gzip->out) != n)
			return -1;
	} while (!gzip->zlib.avail_out);
	return 0;
}

/* stdio passes at most its buffer, or the bytes of one call, so the size fits into 32 bits. */
static ssize_t write_some(void *cookie, const char *bytes, size_t size)
{
	struct gzip *gzip = cookie;

	if (size > INT32_MAX)
		size = INT32_MAX;
	gzip->zlib.next_in = (unsigned char *)bytes;
	gzip->zlib.avail_in = size;
	return deflate_all(gzip, Z_NO_FLUSH) ? 0 : (ssize_t)size;
}

static int end(void *cookie)
{
	struct gzip *gzip = cookie;
	int err;

	gzip->zlib.avail_in = 0;
	err = deflate_all(gzip, Z_FINISH);
	deflateEnd(&gzip->zlib);
	free(gzip);
	return err;
}

FILE *gzip__open(FILE *out)
{
	const cookie_io_functions_t functions = {.write = write_some, .close = end};
	struct gzip *gzip = calloc(1, sizeof(*gzip));
	FILE *stream;

	if (!gzip)
		return NULL;
	gzip->out = out;
	if (deflateInit2(&gzip->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + GZIP_HEADER,
		    MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(gzip);
		return NULL;
	}
	stream = fopencookie(gzip, "w", functions);
	if (!stream) {
		deflateEnd(&gzip->zlib);
		free(gzip);
	}
	return stream;
}
