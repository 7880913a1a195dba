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

/* Returns NULL if @elf has no debug information, or it cannot be read. */
struct symbols_lines *symbols_lines__new(Elf *elf);
/* Writes "file.c:12", without directories, for the byte at @addr to @ret; "" if it is not known. */
void symbols_lines__find(const struct symbols_lines *lines, uint64_t addr, char *ret, size_t size);
/*
 * Finds the source of the byte at @addr: writes line and MD5 to @ret, and the path to @path; "" if
 * it is not known. The path is absolute, unless the debug information lacks the compiler's
 * directory.
 */
void symbols_lines__source(const struct symbols_lines *lines, uint64_t addr,
	struct symbol_source *ret, char *path, size_t size);
/* Finds the unit that contains the byte at @addr. */
bool symbols_lines__unit(const struct symbols_lines *lines, uint64_t addr, Dwarf_Die *ret);
void symbols_lines__free(struct symbols_lines *lines);

#endif
