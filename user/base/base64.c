// SPDX-License-Identifier: GPL-2.0-only
/* See base64.h. */
#include "user/base/base64.h"

#include <errno.h>

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int base64__put(struct buffer *out, const void *bytes, size_t size)
{
	const uint8_t *in = bytes;
	uint8_t *to = buffer__extend(out, BASE64_SIZE(size));

	if (!to)
		return out->error;
	for (size_t i = 0; i < size; i += 3, to += 4) {
		uint32_t left = size - i;
		uint32_t word = in[i] << 16 | (left > 1 ? in[i + 1] << 8 : 0) |
				(left > 2 ? in[i + 2] : 0);

		to[0] = DIGITS[word >> 18];
		to[1] = DIGITS[word >> 12 & 63];
		to[2] = left > 1 ? DIGITS[word >> 6 & 63] : '=';
		to[3] = left > 2 ? DIGITS[word & 63] : '=';
	}
	return 0;
}

/* Returns the value of a digit, or 64 if @c is not a digit. */
static uint32_t value_of(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+')
		return 62;
	return c == '/' ? 63 : 64;
}

int base64__parse(struct buffer *out, const char *text, size_t size)
{
	size_t start = out->size, padding = 0;
	uint32_t bad = size % 4;
	uint8_t *to;

	if (size && text[size - 1] == '=')
		padding = size > 1 && text[size - 2] == '=' ? 2 : 1;
	to = bad ? NULL : buffer__extend(out, size / 4 * 3);
	for (size_t i = 0; to && i < size; i += 4, to += 3) {
		uint32_t word = 0;

		for (size_t j = 0; j < 4; j++) {
			uint32_t value = i + j < size - padding ? value_of(text[i + j]) : 0;

			bad |= value & 64;
			word = word << 6 | (value & 63);
		}
		to[0] = word >> 16;
		to[1] = word >> 8 & 255;
		to[2] = word & 255;
	}
	if (bad || out->error) {
		bad = bad && !out->error;
		if (bad)
			buffer__truncate(out, start);
		return bad ? -EBADMSG : out->error;
	}
	buffer__truncate(out, out->size - padding);
	return 0;
}
