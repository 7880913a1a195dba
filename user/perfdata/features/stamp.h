/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perfstamp's own header feature (PERFSTAMP_FEATURE; layout.h describes its place in a file): UTF-8
 * lines of key=value, each ended by a newline, without NULs. Keys consist of [a-z0-9._-]. Values
 * are escaped by text__escape, so they contain no newline. The recorder chooses the keys: version,
 * rung, kernel release, losses by cause. Unknown keys are skipped. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_STAMP_H
#define PERFSTAMP_PERFDATA_STAMP_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"

/* Returns 0, -EINVAL if the key has other characters, or the buffer's error. */
int stamp__put(struct buffer *out, const char *key, const char *value);
int stamp__put_number(struct buffer *out, const char *key, uint64_t value);

/*
 * Copies the escaped value of the first line with @key to @ret_value, cut to @value_size including
 * its NUL. Returns its whole length, or -ENOENT.
 */
int stamp__get(const void *bytes, size_t size, const char *key, char *ret_value, size_t value_size);
/*
 * The same for the next line with @key at or after *@cursor. Sets *@cursor to the byte after that
 * line.
 */
int stamp__next(
	const char **cursor, const char *end, const char *key, char *ret_value, size_t value_size);

/* Appends lines "perfstamp KEY: VALUE\n". Returns 0, or -EBADMSG if @bytes are not such lines. */
int stamp__describe(struct buffer *out, const void *bytes, size_t size);

#endif
