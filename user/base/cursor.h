/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads fixed-width values from untrusted bytes, each within bounds and in
 * either byte order. Failure sticks: after a read beyond the end, this and all
 * later reads give 0 or NULL, so that a decoder checks .failed once at its end.
 * Owns nothing and knows no format.
 */
#ifndef PERFSTAMP_BASE_CURSOR_H
#define PERFSTAMP_BASE_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cursor {
	const uint8_t *at;
	const uint8_t *end;
	bool swap; /* the bytes are in the other byte order */
	bool failed;
};

void cursor__init(struct cursor *cursor, const void *bytes, size_t size, bool swap);
uint8_t cursor__u8(struct cursor *cursor);
uint16_t cursor__u16(struct cursor *cursor);
uint32_t cursor__u32(struct cursor *cursor);
uint64_t cursor__u64(struct cursor *cursor);
/* The next @size bytes, in place and not swapped; NULL on failure. */
const void *cursor__bytes(struct cursor *cursor, uint64_t size);
/* The same, copied; @dst is zeroed on failure. */
void cursor__copy(struct cursor *cursor, void *dst, size_t size);
/* The text up to and including the next NUL; NULL on failure: there is no NUL left. */
const char *cursor__string(struct cursor *cursor);
void cursor__skip(struct cursor *cursor, uint64_t size);
size_t cursor__remaining(const struct cursor *cursor);
/* Returns a cursor on the next @size bytes, which this one skips. */
struct cursor cursor__sub(struct cursor *cursor, uint64_t size);

#endif
