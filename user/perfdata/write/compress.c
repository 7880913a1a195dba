// SPDX-License-Identifier: GPL-2.0-only
/*
 * See compress.h. perf reserves comp_mmap_len bytes for the decompressed data of one record. From
 * Linux 7 on, the size of a record must be a multiple of 8, so a skippable frame is added as
 * padding. It precedes the data, because perf's loop fails if a frame follows it.
 */
#include "user/perfdata/write/compress.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "user/perfdata/layout.h"

#define SKIPPABLE_MAGIC ZSTD_MAGIC_SKIPPABLE_START
#define SKIPPABLE_HEADER 8 /* magic and size, both of 4 bytes */
#define FRAME_MAX (PERFDATA_RECORD_MAX - sizeof(struct perf_event_header) - SKIPPABLE_HEADER - 8)
#define METHOD_ZSTD 1

struct compress {
	ZSTD_CCtx *zstd;
	int level;
	uint64_t plain;  /* bytes before compression */
	uint64_t packed; /* bytes after compression */
	uint8_t frame[FRAME_MAX];
};

int compress__new(struct compress **ret, int level)
{
	struct compress *compress = calloc(1, sizeof(*compress));

	if (!compress)
		return -ENOMEM;
	compress->level = level;
	compress->zstd = ZSTD_createCCtx();
	if (!compress->zstd || ZSTD_isError(ZSTD_CCtx_setParameter(
				       compress->zstd, ZSTD_c_compressionLevel, level))) {
		compress__free(compress);
		return -ENOMEM;
	}
	*ret = compress;
	return 0;
}

void compress__free(struct compress *compress)
{
	if (!compress)
		return;
	ZSTD_freeCCtx(compress->zstd);
	free(compress);
}

/* Returns the size of the whole records at @at that fit into @limit bytes; at least one record. */
static size_t take_records(const uint8_t *at, size_t size, size_t limit)
{
	size_t taken = 0;

	while (size - taken >= sizeof(struct perf_event_header)) {
		struct perf_event_header header;

		memcpy(&header, at + taken, sizeof(header));
		if (header.size < sizeof(header) || header.size > size - taken)
			break;
		if (taken && taken + header.size > limit)
			break;
		taken += header.size;
	}
	return taken;
}

static void put_frame(struct compress *compress, size_t frame_size, struct buffer *out)
{
	uint32_t padding = -frame_size % 8;
	struct perf_event_header header = {.type = PERF_RECORD_COMPRESSED};

	header.size = sizeof(header) + frame_size + (padding ? SKIPPABLE_HEADER + padding : 0);
	buffer__append(out, &header, sizeof(header));
	if (padding) {
		buffer__u32(out, SKIPPABLE_MAGIC);
		buffer__u32(out, padding);
		buffer__zeros(out, padding);
	}
	buffer__append(out, compress->frame, frame_size);
	compress->packed += header.size;
}

static int put_chunk(struct compress *compress, const uint8_t *at, size_t size, struct buffer *out)
{
	size_t frame_size = ZSTD_compress2(
		compress->zstd, compress->frame, sizeof(compress->frame), at, size);
	size_t first;
	int err;

	if (!ZSTD_isError(frame_size)) {
		compress->plain += size;
		put_frame(compress, frame_size, out);
		return out->error;
	}
	/*
	 * The compressed bytes are too large. Half of the records may fit; a single record is
	 * written uncompressed.
	 */
	first = take_records(at, size, size / 2);
	if (first == size) {
		compress->plain += size;
		compress->packed += size;
		return buffer__append(out, at, size);
	}
	err = put_chunk(compress, at, first, out);
	return err ? err : put_chunk(compress, at + first, size - first, out);
}

int compress__records(
	struct compress *compress, const void *records, size_t size, struct buffer *out)
{
	const uint8_t *at = records;
	int err = 0;

	while (size && !err) {
		size_t chunk = take_records(at, size, COMPRESS_CHUNK);

		if (!chunk)
			return -EINVAL;
		err = put_chunk(compress, at, chunk, out);
		at += chunk;
		size -= chunk;
	}
	return err;
}

int compress__feature(const struct compress *compress, struct buffer *out)
{
	buffer__u32(out, 0); /* version */
	buffer__u32(out, METHOD_ZSTD);
	buffer__u32(out, compress->level);
	buffer__u32(out,
		compress->packed ? (compress->plain + compress->packed / 2) / compress->packed : 1);
	return buffer__u32(out, COMPRESS_CHUNK); /* comp_mmap_len: pages */
}
