/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Builds an ELF file that has only a build-id and the symbols of text: of the kernel, of a module
 * whose own file is unavailable, or of code that a process made at run time. perf reads it from the
 * store like a vmlinux, a module's file or a DSO. Pure.
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
	bool module;    /* ET_REL: perf counts addresses from the start of the text */
	bool shared;    /* ET_DYN, for code of JIT compilers: addresses are offsets in the file */
	uint64_t start; /* address of the text */
	uint64_t size;  /* bytes of text, none of which are in the file */
	struct text_symbol *v;
	size_t n;
	/*
	 * .eh_frame, followed by .eh_frame_hdr, as jitdumps have them; NULL: none. They are placed
	 * behind the text, 8-aligned. Allowed only if .shared is set, .start is behind the ELF
	 * header, and .size is at most SYMBOL_ELF_UNWIND_TEXT_MAX.
	 */
	const uint8_t *unwind;
	size_t unwind_size;     /* bytes of both */
	size_t unwind_hdr_size; /* bytes of .eh_frame_hdr */
};

/*
 * Appends the file to @out. Returns 0; -EINVAL if the build-id has more than 20 bytes, or if unwind
 * tables are not allowed; or the buffer's error.
 */
int symbol_elf__build(struct buffer *out, const uint8_t *build_id, size_t size,
	const struct text_symbols *symbols);

#endif
