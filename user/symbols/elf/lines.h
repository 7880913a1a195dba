/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Source files and lines, from debug information. A part of symbols.c, for its
 * child's use only.
 */
#ifndef PERFSTAMP_SYMBOLS_ELF_LINES_H
#define PERFSTAMP_SYMBOLS_ELF_LINES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/model/profile/symbol.h"

struct symbols_lines;

/* NULL if @elf has no debug information, or it cannot be read. */
struct symbols_lines *symbols_lines__new(Elf *elf);
/* "file.c:12" of the byte at @addr, without directories, to @ret; or "". */
void symbols_lines__find(const struct symbols_lines *lines, uint64_t addr, char *ret, size_t size);
/*
 * The source of the byte at @addr: line and MD5 to @ret, the path to @path; or "". It is
 * absolute, unless the debug information lacks the compiler's directory.
 */
void symbols_lines__source(const struct symbols_lines *lines, uint64_t addr,
	struct symbol_source *ret, char *path, size_t size);
/* The unit that the byte at @addr is of. */
bool symbols_lines__unit(const struct symbols_lines *lines, uint64_t addr, Dwarf_Die *ret);
void symbols_lines__free(struct symbols_lines *lines);

#endif
