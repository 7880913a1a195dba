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
 * Adds the functions in the table of this type (SHT_SYMTAB, SHT_DYNSYM). Returns how
 * many, or -ENOMEM. In a relocatable file, addresses count from .text.
 */
int symbols_elf__add(
	struct symbols_table *table, Elf *elf, unsigned int type, enum symbol_origin origin);
/* Those in .gnu_debugdata, which is decompressed. As above; 0 if there is none. */
int symbols_elf__add_minidebug(struct symbols_table *table, Elf *elf);
/* NAME@plt for each stub, by the relocation of what it jumps to. As above. */
int symbols_elf__add_plt(struct symbols_table *table, Elf *elf);
/* The address of the byte at @offset in the file @elf. Returns 0 or -ENOENT. */
int symbols_elf__address(Elf *elf, uint64_t offset, uint64_t *ret);
/*
 * The same for a debug file, in which offsets are invalid. Only possible if it has one
 * executable segment, all of which was mapped, by @map_len bytes from @map_pgoff on, with
 * pages of 4 to 64 KiB.
 */
int symbols_elf__address_in_debug(
	Elf *elf, uint64_t offset, uint64_t map_pgoff, uint64_t map_len, uint64_t *ret);

/* The lowest address of @elf: its first segment's, at the start of a page. Returns 0 or -ENOENT. */
int symbols_elf__base(Elf *elf, uint64_t *ret);

#endif
