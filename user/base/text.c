// SPDX-License-Identifier: GPL-2.0-only
/*
 * Escaping and hexadecimal, see text.h. Allocates nothing.
 */
#include "user/base/text.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static const char digits[] = "0123456789abcdef";

/* Characters that are valid UTF-8 and yet change how the text around them is laid out. */
static bool is_layout_control(uint32_t c)
{
	return (c >= 0x80 && c <= 0x9f) ||     /* C1: 0x9b alone begins a terminal sequence */
	       (c >= 0x200e && c <= 0x200f) || /* direction marks */
	       (c >= 0x2028 && c <= 0x202e) || /* line separators, embeddings, overrides */
	       (c >= 0x2066 && c <= 0x2069) || /* isolates */
	       c == 0x61c || c == 0xfeff;
}

/*
 * The length of the printable character at @s: 1 to 4, or 0 if the byte there has to be
 * escaped. RFC 3629: no overlong forms, no surrogates.
 */
static size_t printable(const uint8_t *s, size_t len)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	uint32_t c = s[0];
	size_t n, i;

	if (c < 0x80)
		return c >= 0x20 && c != 0x7f;
	if (c >= 0xc2 && c <= 0xdf)
		n = 2, c &= 0x1f;
	else if (c >= 0xe0 && c <= 0xef)
		n = 3, c &= 0x0f;
	else if (c >= 0xf0 && c <= 0xf4)
		n = 4, c &= 0x07;
	else
		return 0;
	if (n > len)
		return 0;
	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < smallest[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	return is_layout_control(c) ? 0 : n;
}

static size_t escape_byte(uint8_t byte, char *ret_text)
{
	ret_text[0] = '\\';
	switch (byte) {
	case '\n':
		ret_text[1] = 'n';
		return 2;
	case '\t':
		ret_text[1] = 't';
		return 2;
	case '\r':
		ret_text[1] = 'r';
		return 2;
	case '\\':
		ret_text[1] = '\\';
		return 2;
	}
	ret_text[1] = 'x';
	ret_text[2] = digits[byte >> 4];
	ret_text[3] = digits[byte & 15];
	return 4;
}

size_t text__escape_bytes(char *dst, size_t size, const void *src, size_t len)
{
	const uint8_t *s = src;
	size_t needed = 0, used = 0;
	bool full = false;
	char escaped[4];

	while (len) {
		size_t in = *s == '\\' ? 0 : printable(s, len), out = in;
		const void *piece = s;

		if (!in) {
			in = 1;
			out = escape_byte(*s, escaped);
			piece = escaped;
		}
		/* If a piece does not fit, no later piece may be written either. */
		if (!full && used + out < size) {
			memcpy(dst + used, piece, out);
			used += out;
		} else {
			full = true;
		}
		needed += out;
		s += in;
		len -= in;
	}
	if (size)
		dst[used] = '\0';
	return needed;
}

size_t text__escape(char *dst, size_t size, const char *src)
{
	return text__escape_bytes(dst, size, src, strlen(src));
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

void text__unescape(char *text)
{
	static const char letters[] = "nrt\\", bytes[] = "\n\r\t\\";
	const char *at;
	char *to = text;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1] == 'x' && hex_digit(text[2]) >= 0 &&
			hex_digit(text[3]) >= 0) {
			*to++ = (char)(16 * hex_digit(text[2]) + hex_digit(text[3]));
			text += 3;
		} else if (*text == '\\' && text[1] && (at = strchr(letters, text[1]))) {
			*to++ = bytes[at - letters];
			text++;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

void text__sanitize(char *text)
{
	size_t len = strlen(text);

	while (len) {
		size_t n = printable((const uint8_t *)text, len);

		if (!n) {
			*text = '?';
			n = 1;
		}
		text += n;
		len -= n;
	}
}

size_t text__hex(char *dst, size_t size, const void *bytes, size_t len)
{
	const uint8_t *b = bytes;
	size_t i;

	if (!size)
		return 0;
	for (i = 0; i < len && 2 * i + 2 < size; i++) {
		dst[2 * i] = digits[b[i] >> 4];
		dst[2 * i + 1] = digits[b[i] & 15];
	}
	dst[2 * i] = '\0';
	return 2 * i;
}

int text__parse_hex(void *dst, size_t size, const char *hex)
{
	size_t len = strlen(hex), i;
	uint8_t *out = dst;

	if (!len || len % 2)
		return -EINVAL;
	for (i = 0; i < len; i++)
		if (hex_digit(hex[i]) < 0)
			return -EINVAL;
	if (len / 2 > size)
		return -ENOSPC;
	for (i = 0; i < len / 2; i++)
		out[i] = 16 * hex_digit(hex[2 * i]) + hex_digit(hex[2 * i + 1]);
	return (int)(len / 2);
}
