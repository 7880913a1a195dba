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

/* One function that was inlined. The texts live as long as the lines. */
struct symbols_inline {
	const char *name; /* as linkers know it */
	/* The call, in the function around it. */
	const char *call_path; /* NULL: not known */
	const char
		*call_dir;  /* that .call_path is relative to; NULL: it is absolute, or not known */
	uint32_t call_line; /* 0: not known */
};

/* NULL without memory. @lines has to live as long. */
struct symbols_inlined *symbols_inlined__new(const struct symbols_lines *lines);
/* Those that the byte at @addr is in, the outermost first: at most @max. Returns how many. */
size_t symbols_inlined__find(
	struct symbols_inlined *inlined, uint64_t addr, struct symbols_inline *ret, size_t max);
void symbols_inlined__free(struct symbols_inlined *inlined);

#endif
