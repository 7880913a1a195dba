/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Strings in header features: a length of four bytes, then the text, padded with NULs. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_STRINGS_H
#define PERFSTAMP_PERFDATA_STRINGS_H

#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/cursor.h"

int strings__put(struct buffer *out, const char *s);
/* Appends @len bytes of text and a NUL. */
int strings__put_bytes(struct buffer *out, const void *text, size_t len);
/* Returns the next string. If it does not end within its length, returns NULL and fails @in. */
const char *strings__get(struct cursor *in);
/* Appends a count of four bytes, then the strings. */
int strings__put_list(struct buffer *out, const char *const *list, uint32_t n);

#endif
