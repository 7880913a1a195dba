/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Escapes untrusted bytes (paths, thread names, ids) for display. Any process can choose
 * paths, so printed paths must not be able to move a cursor, forge a line or reverse the
 * reading direction. Does not know streams or locales: text is UTF-8.
 */
#ifndef PERFSTAMP_BASE_TEXT_H
#define PERFSTAMP_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Writes @src to @dst with control characters, DEL, C1, invalid UTF-8, line separators, direction
 * marks and the backslash escaped (\n, \t, \r, \\, \xNN). Other UTF-8 is not changed. The result
 * ends with a NUL if @size > 0, and is never cut inside an escape or a character. Returns the
 * length that the whole result needs without the NUL, as snprintf() does. Four bytes for each
 * source byte always suffice.
 */
size_t text__escape(char *dst, size_t size, const char *src);
size_t text__escape_bytes(char *dst, size_t size, const void *src, size_t len);

/* Reverses text__escape in place. Other backslashes are not changed. */
void text__unescape(char *text);

/* Replaces in place each byte that text__escape would escape, except the backslash, by '?'. */
void text__sanitize(char *text);

/*
 * Writes @len bytes as lower-case hexadecimal, or as many whole bytes as fit if @size is
 * less than 2 * @len + 1. Returns the number of digits written.
 */
size_t text__hex(char *dst, size_t size, const void *bytes, size_t len);

/*
 * Parses a hexadecimal id of either case, without prefix or separators. Returns the number of
 * bytes, -EINVAL for anything else (an odd number of digits, no digits), or -ENOSPC if @size is too
 * small.
 */
int text__parse_hex(void *dst, size_t size, const char *hex);

#endif
