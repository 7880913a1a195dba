// SPDX-License-Identifier: GPL-2.0-only
/*
 * See stamp.h.
 */
#include "user/perfdata/features/stamp.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "user/base/text.h"

static bool is_key(const char *key, size_t len)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789._-";

	for (size_t i = 0; i < len; i++)
		if (!key[i] || !strchr(allowed, key[i]))
			return false;
	return len > 0;
}

int stamp__put(struct buffer *out, const char *key, const char *value)
{
	size_t len = text__escape(NULL, 0, value);
	char *at;

	if (!is_key(key, strlen(key)))
		return -EINVAL;
	buffer__printf(out, "%s=", key);
	at = buffer__extend(out, len + 1);
	if (!at)
		return out->error;
	text__escape(at, len + 1, value);
	at[len] = '\n';
	return 0;
}

int stamp__put_number(struct buffer *out, const char *key, uint64_t value)
{
	if (!is_key(key, strlen(key)))
		return -EINVAL;
	return buffer__printf(out, "%s=%" PRIu64 "\n", key, value);
}

struct line {
	const char *key;
	size_t key_len;
	const char *value;
	size_t value_len;
};

/* Reads one line from *@at. Returns false at the end, or if it is not a valid line. */
static bool next_line(const char **at, const char *end, struct line *ret)
{
	const char *newline, *equals;

	if (*at == end)
		return false;
	newline = memchr(*at, '\n', end - *at);
	if (!newline)
		return false;
	equals = memchr(*at, '=', newline - *at);
	if (!equals || !is_key(*at, equals - *at))
		return false;
	*ret = (struct line){*at, equals - *at, equals + 1, newline - equals - 1};
	*at = newline + 1;
	return true;
}

int stamp__next(
	const char **cursor, const char *end, const char *key, char *ret_value, size_t value_size)
{
	struct line line;

	while (next_line(cursor, end, &line)) {
		if (line.key_len != strlen(key) || memcmp(line.key, key, line.key_len))
			continue;
		if (line.value_len > INT_MAX)
			break;
		if (value_size) {
			size_t kept = line.value_len < value_size ? line.value_len : value_size - 1;

			memcpy(ret_value, line.value, kept);
			ret_value[kept] = '\0';
		}
		return (int)line.value_len;
	}
	return -ENOENT;
}

int stamp__get(const void *bytes, size_t size, const char *key, char *ret_value, size_t value_size)
{
	const char *at = bytes;

	return stamp__next(&at, at + size, key, ret_value, value_size);
}

/* Values that perfstamp wrote are escaped; a value that is not escaped was forged. */
static bool is_escaped(const struct line *line)
{
	size_t backslashes = 0;

	for (size_t i = 0; i < line->value_len; i++)
		backslashes += line->value[i] == '\\';
	return text__escape_bytes(NULL, 0, line->value, line->value_len) - backslashes ==
	       line->value_len;
}

int stamp__describe(struct buffer *out, const void *bytes, size_t size)
{
	const char *at = bytes, *end = at + size;
	struct line line;

	while (next_line(&at, end, &line)) {
		if (!is_escaped(&line))
			return -EBADMSG;
		buffer__printf(out, "perfstamp %.*s: %.*s\n", (int)line.key_len, line.key,
			(int)line.value_len, line.value);
	}
	return at == end ? out->error : -EBADMSG;
}
