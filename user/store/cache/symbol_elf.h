/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An ELF file that has nothing but a build-id and the symbols of text: the
 * kernel's, those of a module whose own file is not to be had, or those of code that
 * a process made at run time. perf takes it from the store as it takes a vmlinux, a
 * module's file or a DSO. Pure.
 */
#ifndef PERFSTAMP_STORE_SYMBOL_ELF_H
#define PERFSTAMP_STORE_SYMBOL_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"

#define SYMBOL_ELF_UNWIND_TEXT_MAX (16u << 20) /* bytes */

struct text_symbol {
	uint64_t addr;
	uint64_t size; /* bytes; 0: not known */
	const char *name;
	char type; /* as in /proc/kallsyms */
};

struct text_symbols {
	bool module;    /* ET_REL: perf counts from the start of its text */
	bool shared;    /* ET_DYN, as JITs fill it: offsets in the file are the addresses */
	uint64_t start; /* of the text */
	uint64_t size;  /* bytes of text; none of them are in the file */
	struct text_symbol *v;
	size_t n;
	/*
	 * .eh_frame, and behind it .eh_frame_hdr, which is placed 8-aligned behind the text, as
	 * jitdumps have them; NULL: none. Only where it is .shared, begins behind the ELF
	 * header, and is no larger than SYMBOL_ELF_UNWIND_TEXT_MAX.
	 */
	const uint8_t *unwind;
	size_t unwind_size;     /* bytes, of both */
	size_t unwind_hdr_size; /* bytes, of .eh_frame_hdr */
};

/*
 * Appends the file to @out. Returns 0, -EINVAL for a build-id over 20 bytes or for tables
 * where they are not allowed, or the buffer's error.
 */
int symbol_elf__build(struct buffer *out, const uint8_t *build_id, size_t size,
	const struct text_symbols *symbols);

#endif
