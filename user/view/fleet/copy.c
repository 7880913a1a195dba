// SPDX-License-Identifier: GPL-2.0-only
/* See copy.h. Each cell ends with a tab; the end of the row replaces the last one. */
#include "user/view/fleet/copy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "user/base/text.h"

#define TIME_MAX_S 253402300799 /* 9999-12-31 23:59:59 */

/* Only a backslash in @text is special in COPY. */
static void write_escaped(struct buffer *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\\')
			buffer__u8(out, '\\');
		buffer__u8(out, *text);
	}
	buffer__u8(out, '\t');
}

void copy__escaped(struct buffer *out, const char *text)
{
	char piece[1024];

	/* The recording states that its text is escaped, but a recording may be forged. */
	snprintf(piece, sizeof(piece), "%s", text);
	text__sanitize(piece);
	write_escaped(out, piece);
}

void copy__text(struct buffer *out, const char *text)
{
	size_t size = text__escape(NULL, 0, text) + 1, start = out->size;
	char *escaped = buffer__extend(out, size);
	struct buffer cell;

	if (!escaped)
		return;
	text__escape(escaped, size, text);
	if (!memchr(escaped, '\\', size)) {
		escaped[size - 1] = '\t';
		return;
	}
	buffer__init(&cell, 0);
	write_escaped(&cell, escaped);
	buffer__truncate(out, start);
	if (cell.error)
		out->error = cell.error;
	buffer__append(out, cell.data, cell.size);
	buffer__free(&cell);
}

void copy__null(struct buffer *out)
{
	buffer__append(out, "\\N\t", 3);
}

void copy__number(struct buffer *out, uint64_t number)
{
	/* bigint */
	buffer__printf(out, "%" PRIu64 "\t", number > INT64_MAX ? INT64_MAX : number);
}

void copy__bool(struct buffer *out, bool value)
{
	buffer__append(out, value ? "t\t" : "f\t", 2);
}

void copy__bytes(struct buffer *out, const void *bytes, size_t size)
{
	char *hex;

	buffer__append(out, "\\\\x", 3);
	hex = buffer__extend(out, 2 * size + 1);
	if (!hex)
		return;
	text__hex(hex, 2 * size + 1, bytes, size);
	hex[2 * size] = '\t';
}

void copy__time(struct buffer *out, int64_t time_us)
{
	time_t seconds = time_us / 1000000;
	int64_t rest = time_us % 1000000;
	struct tm tm;

	if (time_us < 0)
		seconds = rest = 0;
	if (seconds > TIME_MAX_S)
		seconds = TIME_MAX_S;
	gmtime_r(&seconds, &tm);
	buffer__printf(out, "%04d-%02d-%02d %02d:%02d:%02d.%06" PRId64 "+00\t", tm.tm_year + 1900,
		tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, rest);
}

void copy__numbers(struct buffer *out, const uint32_t *numbers, size_t n)
{
	buffer__u8(out, '{');
	for (size_t i = 0; i < n; i++)
		buffer__printf(out, "%s%" PRIu32, i ? "," : "", numbers[i]);
	buffer__append(out, "}\t", 2);
}

void copy__end_row(struct buffer *out)
{
	if (!out->error)
		out->data[out->size - 1] = '\n';
}
