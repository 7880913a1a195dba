// SPDX-License-Identifier: GPL-2.0-only
/*
 * See walk.h.
 */
#include "user/perfdata/read/walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/cursor.h"
#include "user/perfdata/layout.h"
#include "user/perfdata/read/decompress.h"

#define PAYLOAD_MAX (64u << 20)

void walk__init(struct walk *walk)
{
	*walk = (struct walk){.in.fd = -1};
}

void walk__free(struct walk *walk)
{
	input__close(&walk->in);
	decompress__free(walk->decompress);
	free(walk->name);
	walk__init(walk);
}

int walk__stick(struct walk *walk, int code, const char *cause, struct error *err)
{
	walk->stuck = error__set(&walk->stuck_text, code, "%s: offset %" PRIu64 ": %s", walk->name,
		walk->in.offset, cause);
	if (err)
		*err = walk->stuck_text;
	return code;
}

/* Skips the bytes of the last record. */
static int advance(struct walk *walk)
{
	uint64_t payload = walk->payload;

	input__take(&walk->in, walk->pending);
	walk->pending = 0;
	walk->payload = 0;
	return payload ? input__skip(&walk->in, payload) : 0;
}

static int begin_decompressing(struct walk *walk, uint32_t type, const void *record, size_t size)
{
	struct cursor in;
	const void *bytes;

	cursor__init(&in, record, size, walk->swap);
	cursor__skip(&in, sizeof(struct perf_event_header));
	size = type == PERF_RECORD_COMPRESSED2 ? cursor__u64(&in) : cursor__remaining(&in);
	bytes = cursor__bytes(&in, size);
	if (in.failed)
		return -EBADMSG;
	if (!walk->decompress && decompress__new(&walk->decompress, walk->swap))
		return -ENOMEM;
	decompress__feed(walk->decompress, bytes, size);
	walk->decompressing = true;
	return 0;
}

/* Returns 1 with a record, or 0 after the last one in the COMPRESSED record. */
static int next_compressed(
	struct walk *walk, const void **ret_record, size_t *ret_size, struct error *err)
{
	int ret = decompress__next(walk->decompress, ret_record, ret_size);

	if (ret < 0) {
		walk->stream_damaged = true;
		return walk__stick(walk, ret, "compressed data contradict themselves", err);
	}
	if (!ret)
		walk->decompressing = false;
	return ret;
}

static int end(struct walk *walk, struct error *err)
{
	if (walk->decompress && decompress__is_partial(walk->decompress))
		return walk__stick(walk, -EBADMSG, "the compressed data end inside a record", err);
	return 0;
}

/* Returns 1 with a whole record of the input, or 0 at its end. */
static int peek_record(struct walk *walk, const void **ret_record,
	struct perf_event_header *ret_header, struct error *err)
{
	ssize_t n = input__peek(&walk->in, sizeof(*ret_header), ret_record);
	struct cursor in;

	if (n == 0)
		return end(walk, err);
	if (n > 0) {
		cursor__init(&in, *ret_record, n, walk->swap);
		ret_header->type = cursor__u32(&in);
		ret_header->misc = cursor__u16(&in);
		ret_header->size = cursor__u16(&in);
		if (!in.failed && ret_header->size < sizeof(*ret_header))
			return walk__stick(
				walk, -EBADMSG, "a record is smaller than its own header", err);
		n = in.failed ? 0 : input__peek(&walk->in, ret_header->size, ret_record);
	}
	if (n < 0)
		return walk__stick(walk, n, strerror(-n), err);
	if (n == 0 || n < ret_header->size)
		return walk__stick(walk, -EBADMSG, "the data end inside a record", err);
	return 1;
}

int walk__next(struct walk *walk, const void **ret_record, size_t *ret_size, struct error *err)
{
	struct perf_event_header header = {};
	int ret;

	for (;;) {
		if (walk->stuck) {
			if (err)
				*err = walk->stuck_text;
			return walk->stuck;
		}
		if (walk->decompressing) {
			ret = next_compressed(walk, ret_record, ret_size, err);
			if (ret)
				return ret;
		}
		ret = advance(walk);
		if (ret)
			return walk__stick(
				walk, ret, "the data end inside the bytes of a record", err);
		ret = peek_record(walk, ret_record, &header, err);
		if (ret <= 0)
			return ret;
		*ret_size = walk->pending = header.size;
		if (header.type != PERF_RECORD_COMPRESSED && header.type != PERF_RECORD_COMPRESSED2)
			return 1;
		ret = begin_decompressing(walk, header.type, *ret_record, header.size);
		if (ret)
			return walk__stick(walk, ret,
				ret == -ENOMEM ? "out of memory"
					       : "a compressed record contradicts itself",
				err);
	}
}

bool walk__recover(struct walk *walk)
{
	walk->stuck = 0;
	walk->payload = 0;
	if (walk->decompressing && !walk->stream_damaged)
		return true;
	decompress__free(walk->decompress);
	walk->decompress = NULL;
	walk->decompressing = walk->stream_damaged = false;
	walk->pending = 0;
	return false;
}

int walk__payload(struct walk *walk, void **ret, size_t *ret_size)
{
	uint64_t left = walk->payload;
	uint8_t *bytes, *to;
	int err = 0;

	if (!left)
		return -ENOENT;
	if (left > PAYLOAD_MAX)
		return -E2BIG;
	bytes = to = malloc(left);
	if (!bytes)
		return -ENOMEM;
	input__take(&walk->in, walk->pending);
	walk->pending = walk->payload = 0;
	while (left && !err) {
		size_t step = left < INPUT_PEEK_MAX ? left : INPUT_PEEK_MAX;
		const void *window;
		ssize_t n = input__peek(&walk->in, step, &window);

		if (n <= 0) {
			err = n < 0 ? (int)n : -EBADMSG;
			break;
		}
		memcpy(to, window, n);
		input__take(&walk->in, n);
		to += n;
		left -= n;
	}
	*ret = bytes;
	*ret_size = to - bytes;
	if (err)
		free(bytes);
	return err;
}

uint64_t walk__offset(const struct walk *walk)
{
	return walk->in.offset + (walk->decompressing ? 0 : walk->pending + walk->payload);
}
