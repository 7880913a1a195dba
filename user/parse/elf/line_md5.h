/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the MD5 of a source file in the line table of DWARF 5, if the compiler wrote one (clang
 * does). libdw has no function for it. Format: DWARF 5, 6.2.4. Pure.
 */
#ifndef PERFSTAMP_PARSE_LINE_MD5_H
#define PERFSTAMP_PARSE_LINE_MD5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_MD5_SIZE 16

/*
 * Finds the MD5 of file @index in the table at @offset of .debug_line, whose @size bytes are at
 * @bytes, with @swap in the other byte order. Returns 0; -ENODATA if the table has none, or is of
 * an older version; -EBADMSG if it is truncated, has no such file, or an unknown form.
 */
int line_md5__find(const void *bytes, size_t size, bool swap, uint64_t offset, uint64_t index,
	uint8_t ret[LINE_MD5_SIZE]);

#endif
