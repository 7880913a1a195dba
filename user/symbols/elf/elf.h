/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The symbols in ELF files, of any class, byte order and architecture. A part of
 * symbols.c, for its child's use only.
 */
#ifndef PERFSTAMP_SYMBOLS_ELF_ELF_H
#define PERFSTAMP_SYMBOLS_ELF_ELF_H

#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

#include "user/symbols/elf/table.h"

/*
 * Adds the functions in the table of this type (SHT_SYMTAB, SHT_DYNSYM). Returns their number, or
 * -ENOMEM. In a relocatable file, addresses count from the start of .text.
 */
int symbols_elf__add(
	struct symbols_table *table, Elf *elf, unsigned int type, enum symbol_origin origin);
/* Adds those in .gnu_debugdata, after decompressing it. Returns the same; 0 if there is none. */
int symbols_elf__add_minidebug(struct symbols_table *table, Elf *elf);
/*
 * Adds NAME@plt for each PLT stub; the relocation of its jump target has the name. Returns the
 * same.
 */
int symbols_elf__add_plt(struct symbols_table *table, Elf *elf);
/* Converts @offset in the file to the address of the byte there. Returns 0 or -ENOENT. */
int symbols_elf__address(Elf *elf, uint64_t offset, uint64_t *ret);
/*
 * The same for a debug file, in which offsets are invalid. This is possible only if it has exactly
 * one executable segment, and all of that was mapped, by @map_len bytes from @map_pgoff on, with
 * pages of 4 to 64 KiB.
 */
int symbols_elf__address_in_debug(
	Elf *elf, uint64_t offset, uint64_t map_pgoff, uint64_t map_len, uint64_t *ret);

/*
 * Returns in @ret the lowest address of @elf: the start of the page in which its first segment
 * begins. Returns 0 or -ENOENT.
 */
int symbols_elf__base(Elf *elf, uint64_t *ret);

#endif
