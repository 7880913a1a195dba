/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which functions were inlined where an address is, from debug information. A part of
 * symbols.c, for its child's use only.
 */
#ifndef PERFSTAMP_STORE_SYMBOLS_INLINED_H
#define PERFSTAMP_STORE_SYMBOLS_INLINED_H

#include <stddef.h>
#include <stdint.h>

#include "user/symbols/lines.h"

struct symbols_inlined;

/* NULL without memory. @lines has to live as long. */
struct symbols_inlined *symbols_inlined__new(const struct symbols_lines *lines);
/*
 * The names of those that the byte at @addr is in, as linkers know them, the outermost
 * first: at most @max, which live as long as @lines. Returns how many.
 */
size_t symbols_inlined__find(
	struct symbols_inlined *inlined, uint64_t addr, const char **ret, size_t max);
void symbols_inlined__free(struct symbols_inlined *inlined);

#endif
