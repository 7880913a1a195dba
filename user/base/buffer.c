// SPDX-License-Identifier: GPL-2.0-only
/*
 * The growable byte buffer, see buffer.h.
 */
#include "user/base/buffer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY_MIN 256

void buffer__init(struct buffer *buffer, size_t limit)
{
	*buffer = (struct buffer){.limit = limit};
}

void buffer__free(struct buffer *buffer)
{
	free(buffer->data);
	buffer__init(buffer, buffer->limit);
}

void buffer__reset(struct buffer *buffer)
{
	buffer__truncate(buffer, 0);
}

void buffer__truncate(struct buffer *buffer, size_t size)
{
	if (size < buffer->size)
		buffer->size = size;
	buffer->error = 0;
}

/* Makes room for @size more bytes and one for a NUL of printf. */
static int reserve(struct buffer *buffer, size_t size)
{
	size_t capacity = buffer->capacity ? buffer->capacity : CAPACITY_MIN, needed;
	uint8_t *data;

	if (buffer->error)
		return buffer->error;
	if (__builtin_add_overflow(buffer->size, size, &needed) ||
		__builtin_add_overflow(needed, 1, &needed))
		return buffer->error = -ENOMEM;
	if (buffer->limit && needed - 1 > buffer->limit)
		return buffer->error = -ENOBUFS;
	if (buffer->data && needed <= buffer->capacity)
		return 0;
	while (capacity < needed)
		if (__builtin_mul_overflow(capacity, 2, &capacity))
			return buffer->error = -ENOMEM;
	data = realloc(buffer->data, capacity);
	if (!data)
		return buffer->error = -ENOMEM;
	buffer->data = data;
	buffer->capacity = capacity;
	return 0;
}

void *buffer__extend(struct buffer *buffer, size_t size)
{
	void *at;

	if (reserve(buffer, size))
		return NULL;
	at = buffer->data + buffer->size;
	buffer->size += size;
	return at;
}

int buffer__append(struct buffer *buffer, const void *bytes, size_t size)
{
	void *at = buffer__extend(buffer, size);

	if (!at)
		return buffer->error;
	if (size)
		memcpy(at, bytes, size);
	return 0;
}

int buffer__u8(struct buffer *buffer, uint8_t value)
{
	return buffer__append(buffer, &value, sizeof(value));
}

int buffer__u16(struct buffer *buffer, uint16_t value)
{
	return buffer__append(buffer, &value, sizeof(value));
}

int buffer__u32(struct buffer *buffer, uint32_t value)
{
	return buffer__append(buffer, &value, sizeof(value));
}

int buffer__u64(struct buffer *buffer, uint64_t value)
{
	return buffer__append(buffer, &value, sizeof(value));
}

int buffer__zeros(struct buffer *buffer, size_t size)
{
	void *at = buffer__extend(buffer, size);

	if (!at)
		return buffer->error;
	memset(at, 0, size);
	return 0;
}

int buffer__align(struct buffer *buffer, size_t start, size_t align)
{
	size_t over = (buffer->size - start) % align;

	return over ? buffer__zeros(buffer, align - over) : buffer->error;
}

int buffer__printf(struct buffer *buffer, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (len < 0)
		return buffer->error = -EINVAL;
	if (reserve(buffer, len))
		return buffer->error;
	va_start(args, fmt);
	vsnprintf((char *)buffer->data + buffer->size, (size_t)len + 1, fmt, args);
	va_end(args);
	buffer->size += len;
	return 0;
}
