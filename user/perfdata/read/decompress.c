// SPDX-License-Identifier: GPL-2.0-only
/*
 * See decompress.h.
 */
#include "user/perfdata/read/decompress.h"

#include <byteswap.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define WINDOW_LOG_MAX 27 /* the largest window of zstd's own levels */
#define PLAIN_SIZE (4 * 65536)

struct decompress {
	ZSTD_DStream *stream;
	ZSTD_inBuffer in;
	bool swap;
	bool stalled; /* the last call filled all the room: zstd may have more output */
	size_t start;
	size_t length;
	_Alignas(8) uint8_t plain[PLAIN_SIZE];
};

int decompress__new(struct decompress **ret, bool swap)
{
	struct decompress *decompress = malloc(sizeof(*decompress));

	if (!decompress)
		return -ENOMEM;
	memset(decompress, 0, offsetof(struct decompress, plain));
	decompress->swap = swap;
	decompress->stream = ZSTD_createDStream();
	if (!decompress->stream || ZSTD_isError(ZSTD_DCtx_setParameter(decompress->stream,
					   ZSTD_d_windowLogMax, WINDOW_LOG_MAX))) {
		decompress__free(decompress);
		return -ENOMEM;
	}
	*ret = decompress;
	return 0;
}

void decompress__free(struct decompress *decompress)
{
	if (!decompress)
		return;
	ZSTD_freeDStream(decompress->stream);
	free(decompress);
}

void decompress__feed(struct decompress *decompress, const void *bytes, size_t size)
{
	decompress->in = (ZSTD_inBuffer){.src = bytes, .size = size};
}

static int decompress_more(struct decompress *decompress)
{
	size_t in_before = decompress->in.pos;
	ZSTD_outBuffer out = {.dst = decompress->plain, .size = PLAIN_SIZE};
	size_t left;

	memmove(decompress->plain, decompress->plain + decompress->start, decompress->length);
	decompress->start = 0;
	out.pos = decompress->length;
	left = ZSTD_decompressStream(decompress->stream, &out, &decompress->in);
	if (ZSTD_isError(left))
		return -EBADMSG;
	/* A stream that neither consumes nor produces bytes would cause an endless loop. */
	if (decompress->in.pos == in_before && out.pos == decompress->length &&
		decompress->in.pos < decompress->in.size)
		return -EBADMSG;
	decompress->length = out.pos;
	decompress->stalled = out.pos == out.size;
	return 0;
}

int decompress__next(struct decompress *decompress, const void **ret_record, size_t *ret_size)
{
	for (;;) {
		const uint8_t *at = decompress->plain + decompress->start;
		struct perf_event_header header;
		int err;

		if (decompress->length >= sizeof(header)) {
			memcpy(&header, at, sizeof(header));
			if (decompress->swap)
				header.size = bswap_16(header.size);
			if (header.size < sizeof(header))
				return -EBADMSG;
			if (header.size <= decompress->length) {
				decompress->start += header.size;
				decompress->length -= header.size;
				*ret_record = at;
				*ret_size = header.size;
				return 1;
			}
		}
		if (decompress->in.pos == decompress->in.size && !decompress->stalled)
			return 0;
		err = decompress_more(decompress);
		if (err)
			return err;
	}
}

bool decompress__is_partial(const struct decompress *decompress)
{
	return decompress->length > 0;
}
