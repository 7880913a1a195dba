/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the functions inlined at an address, from debug information. A part of symbols.c,
 * for its child's use only.
 */
#ifndef PERFSTAMP_SYMBOLS_ELF_INLINED_H
#define PERFSTAMP_SYMBOLS_ELF_INLINED_H

#include <stddef.h>
#include <stdint.h>

#include "user/symbols/elf/lines.h"

struct symbols_inlined;

/* One inlined function. The strings are valid as long as the lines. */
struct symbols_inline {
	const char *name; /* the name for the linker */
	/* The place of the call, in the function around it. */
	const char *call_path; /* NULL: not known */
	const char *call_dir;  /* directory of a relative .call_path; otherwise NULL */
	uint32_t call_line;    /* 0: not known */
};

/* Returns NULL if memory is exhausted. @lines must be valid as long as the result. */
struct symbols_inlined *symbols_inlined__new(const struct symbols_lines *lines);
/*
 * Finds the functions that were inlined at the byte at @addr, the outermost first, at most @max.
 * Returns their number.
 */
size_t symbols_inlined__find(
	struct symbols_inlined *inlined, uint64_t addr, struct symbols_inline *ret, size_t max);
void symbols_inlined__free(struct symbols_inlined *inlined);

#endif
