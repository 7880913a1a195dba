// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bounds-checked byte cursor, see cursor.h.
 */
#include "user/base/cursor.h"

#include <byteswap.h>
#include <string.h>

void cursor__init(struct cursor *cursor, const void *bytes, size_t size, bool swap)
{
	/* Adding an offset to NULL is undefined, even an offset of 0. */
	static const uint8_t nothing[1];

	if (!bytes) {
		bytes = nothing;
		size = 0;
	}
	*cursor = (struct cursor){.at = bytes, .end = (const uint8_t *)bytes + size, .swap = swap};
}

size_t cursor__remaining(const struct cursor *cursor)
{
	return cursor->failed ? 0 : (size_t)(cursor->end - cursor->at);
}

const void *cursor__bytes(struct cursor *cursor, uint64_t size)
{
	const void *at = cursor->at;

	if (cursor->failed || size > cursor__remaining(cursor)) {
		cursor->failed = true;
		return NULL;
	}
	cursor->at += size;
	return at;
}

void cursor__skip(struct cursor *cursor, uint64_t size)
{
	cursor__bytes(cursor, size);
}

void cursor__copy(struct cursor *cursor, void *dst, size_t size)
{
	const void *src = cursor__bytes(cursor, size);

	if (src)
		memcpy(dst, src, size);
	else
		memset(dst, 0, size);
}

uint8_t cursor__u8(struct cursor *cursor)
{
	uint8_t value;

	cursor__copy(cursor, &value, sizeof(value));
	return value;
}

uint16_t cursor__u16(struct cursor *cursor)
{
	uint16_t value;

	cursor__copy(cursor, &value, sizeof(value));
	return cursor->swap ? bswap_16(value) : value;
}

uint32_t cursor__u32(struct cursor *cursor)
{
	uint32_t value;

	cursor__copy(cursor, &value, sizeof(value));
	return cursor->swap ? bswap_32(value) : value;
}

uint64_t cursor__u64(struct cursor *cursor)
{
	uint64_t value;

	cursor__copy(cursor, &value, sizeof(value));
	return cursor->swap ? bswap_64(value) : value;
}

const char *cursor__string(struct cursor *cursor)
{
	const uint8_t *nul = memchr(cursor->at, 0, cursor__remaining(cursor));

	if (!nul) {
		cursor->failed = true;
		return NULL;
	}
	return cursor__bytes(cursor, nul - cursor->at + 1);
}

struct cursor cursor__sub(struct cursor *cursor, uint64_t size)
{
	struct cursor sub = {.swap = cursor->swap};
	const void *bytes = cursor__bytes(cursor, size);

	cursor__init(&sub, bytes, bytes ? size : 0, cursor->swap);
	sub.failed = !bytes;
	return sub;
}
