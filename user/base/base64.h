/* SPDX-License-Identifier: GPL-2.0-only */
/* base64 (RFC 4648, section 4), with padding: bytes as text. Pure. */
#ifndef PERFSTAMP_BASE_BASE64_H
#define PERFSTAMP_BASE_BASE64_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"

/* The number of characters for @size bytes, without a NUL. */
#define BASE64_SIZE(size) (((size) + 2) / 3 * 4)

/* Appends the characters of @size bytes, without a NUL. Returns 0 or the buffer's error. */
int base64__put(struct buffer *out, const void *bytes, size_t size);

/*
 * Appends the bytes of @size characters. Returns 0, -EBADMSG if they are not base64 as
 * base64__put writes it, or the buffer's error. Nothing is appended on failure.
 */
int base64__parse(struct buffer *out, const char *text, size_t size);

#endif
