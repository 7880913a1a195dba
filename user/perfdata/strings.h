/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Strings as they stand in header features: a length of four bytes, then the
 * text, padded with NULs. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_STRINGS_H
#define PERFSTAMP_PERFDATA_STRINGS_H

#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/cursor.h"

int strings__put(struct buffer *out, const char *s);
/* @len bytes of text, which get a NUL. */
int strings__put_bytes(struct buffer *out, const void *text, size_t len);
/* NULL, and @in failed, where it does not end within its length. */
const char *strings__get(struct cursor *in);
/* A count of four bytes, then that many strings. */
int strings__put_list(struct buffer *out, const char *const *list, uint32_t n);

#endif
