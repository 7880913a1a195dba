/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perfstamp's own header feature (PERFSTAMP_FEATURE; where it stands in a file says
 * layout.h): UTF-8 lines of key=value, each ended by a newline; no NUL. Keys are of
 * [a-z0-9._-]; values are escaped as by text__escape, so that they hold no newline. The
 * recorder chooses the keys: version, rung, kernel release, losses by cause. Unknown keys
 * are skipped. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_STAMP_H
#define PERFSTAMP_PERFDATA_STAMP_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"

/* -EINVAL for a key with other characters, or the buffer's error. */
int stamp__put(struct buffer *out, const char *key, const char *value);
int stamp__put_number(struct buffer *out, const char *key, uint64_t value);

/*
 * The escaped value of the first line with @key, cut to @size with its NUL.
 * Returns its whole length, or -ENOENT.
 */
int stamp__get(const void *bytes, size_t size, const char *key, char *ret_value, size_t value_size);
/* The same of the next line with @key from *@cursor on, which is moved behind it. */
int stamp__next(
	const char **cursor, const char *end, const char *key, char *ret_value, size_t value_size);

/* Lines "perfstamp KEY: VALUE\n"; -EBADMSG for what are not such lines. */
int stamp__describe(struct buffer *out, const void *bytes, size_t size);

#endif
