/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the build-id of an ELF file of any kind, byte order and size: executables, the kernel's
 * image, and modules, which have sections but no segments. Only the needed pieces are requested
 * from the caller, so that a vmlinux of half a gigabyte costs a few kilobytes. Pure. Format: the
 * ELF gABI.
 */
#ifndef PERFSTAMP_PARSE_ELF_BUILD_ID_H
#define PERFSTAMP_PARSE_ELF_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

#include "user/parse/elf/note.h"

/* Copies @size bytes at @offset to @dst. Returns 0, or -errno if there are fewer. */
typedef int elf_read_fn(void *ctx, uint64_t offset, void *dst, size_t size);

/*
 * Returns the size of the build-id; -ENOEXEC if it is not ELF; -ENODATA if there is none; -EBADMSG
 * if the headers are contradictory; -E2BIG for an id of more than ELF_BUILD_ID_MAX bytes; -ENOMEM;
 * or what @get returned.
 */
int elf_build_id__read(elf_read_fn *get, void *ctx, uint8_t ret[ELF_BUILD_ID_MAX]);
/*
 * Reads the text of the package metadata (elf_notes__package, note.h). Returns its length, or the
 * errors above; -ENODATA if there is none, -E2BIG if it is too long.
 */
int elf_package__read(elf_read_fn *get, void *ctx, char ret[ELF_PACKAGE_MAX]);
/* As elf_build_id__read() for @size bytes in memory. */
int elf_build_id__of(const void *bytes, size_t size, uint8_t ret[ELF_BUILD_ID_MAX]);

#endif
