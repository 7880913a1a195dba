/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A growable byte buffer with a limit. Failure sticks in .error (-ENOMEM, or -ENOBUFS
 * beyond the limit) and makes later appends do nothing, so that an encoder checks once at
 * its end. Does not know any format; values are appended in this machine's byte order.
 */
#ifndef PERFSTAMP_BASE_BUFFER_H
#define PERFSTAMP_BASE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

struct buffer {
	uint8_t *data;
	size_t size;
	size_t capacity;
	size_t limit; /* bytes; 0 for none */
	int error;
};

void buffer__init(struct buffer *buffer, size_t limit);
void buffer__free(struct buffer *buffer);
/* Empties it and clears the error; the memory is kept. */
void buffer__reset(struct buffer *buffer);
/* Truncates the buffer to @size, an earlier .size, and clears the error. */
void buffer__truncate(struct buffer *buffer, size_t size);

/* Returns room for @size more bytes, which count as appended, or NULL on failure. */
void *buffer__extend(struct buffer *buffer, size_t size);
int buffer__append(struct buffer *buffer, const void *bytes, size_t size);
int buffer__u8(struct buffer *buffer, uint8_t value);
int buffer__u16(struct buffer *buffer, uint16_t value);
int buffer__u32(struct buffer *buffer, uint32_t value);
int buffer__u64(struct buffer *buffer, uint64_t value);
int buffer__zeros(struct buffer *buffer, size_t size);
/* Appends zeros until the bytes since @start are a multiple of @align. */
int buffer__align(struct buffer *buffer, size_t start, size_t align);
int buffer__printf(struct buffer *buffer, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
