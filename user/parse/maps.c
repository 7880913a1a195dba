// SPDX-License-Identifier: GPL-2.0-only
/*
 * See maps.h. Any process can choose paths, with any byte except NUL and newline. sscanf is not
 * used, because it is slow for 20,000 lines.
 */
#include "user/parse/maps.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define DELETED " (deleted)"

static bool scan_hex(const char **at, const char *end, uint64_t *ret)
{
	const char *begin = *at;
	uint64_t value = 0;

	for (; *at < end; (*at)++) {
		char c = **at;
		int digit;

		if (c >= '0' && c <= '9')
			digit = c - '0';
		else if (c >= 'a' && c <= 'f')
			digit = c - 'a' + 10;
		else
			break;
		if (value >> 60)
			return false;
		value = value << 4 | digit;
	}
	*ret = value;
	return *at > begin;
}

static bool scan_decimal(const char **at, const char *end, uint64_t *ret)
{
	const char *begin = *at;
	uint64_t value = 0;

	for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
		if (__builtin_mul_overflow(value, 10, &value) ||
			__builtin_add_overflow(value, (uint64_t)(**at - '0'), &value))
			return false;
	*ret = value;
	return *at > begin;
}

static bool scan_char(const char **at, const char *end, char c)
{
	if (*at == end || **at != c)
		return false;
	(*at)++;
	return true;
}

static bool scan_permissions(const char **at, const char *end, struct map_line *ret)
{
	const char *p = *at;

	if (end - p < 4)
		return false;
	ret->prot = (p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0) |
		    (p[2] == 'x' ? PROT_EXEC : 0);
	ret->map_flags = p[3] == 's' ? MAP_SHARED : MAP_PRIVATE;
	*at += 4;
	return true;
}

static void take_path(const char *at, const char *end, struct map_line *ret)
{
	size_t n = 0, suffix = strlen(DELETED);

	if ((size_t)(end - at) > suffix && !memcmp(end - suffix, DELETED, suffix)) {
		ret->deleted = true;
		end -= suffix;
	}
	while (at < end) {
		if (n == sizeof(ret->path) - 1) {
			ret->path_cut = true;
			break;
		}
		if (end - at >= 4 && !memcmp(at, "\\012", 4)) {
			ret->path[n++] = '\n';
			at += 4;
		} else {
			ret->path[n++] = *at++;
		}
	}
	ret->path[n] = '\0';
}

int map_line__next(const char **cursor, const char *end, struct map_line *ret)
{
	const char *at = *cursor;
	const char *newline;
	uint64_t major, minor;

	if (at == end)
		return 0;
	newline = memchr(at, '\n', end - at);
	*cursor = newline ? newline + 1 : end;
	end = newline ? newline : end;
	ret->deleted = ret->path_cut = false;
	if (!scan_hex(&at, end, &ret->start) || !scan_char(&at, end, '-') ||
		!scan_hex(&at, end, &ret->end) || !scan_char(&at, end, ' ') ||
		!scan_permissions(&at, end, ret) || !scan_char(&at, end, ' ') ||
		!scan_hex(&at, end, &ret->pgoff) || !scan_char(&at, end, ' ') ||
		!scan_hex(&at, end, &major) || !scan_char(&at, end, ':') ||
		!scan_hex(&at, end, &minor) || !scan_char(&at, end, ' ') ||
		!scan_decimal(&at, end, &ret->ino) || ret->end < ret->start || major > UINT32_MAX ||
		minor > UINT32_MAX)
		return -EBADMSG;
	ret->dev_major = major;
	ret->dev_minor = minor;
	/* The kernel pads with spaces. A path begins with / or [, so no space is a part of it. */
	while (at < end && *at == ' ')
		at++;
	take_path(at, end, ret);
	return 1;
}
