/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The MD5 that the line tables of DWARF 5 have of source files, where the compiler wrote
 * one (clang does); libdw has no function for it. Format: DWARF 5, 6.2.4. Pure.
 */
#ifndef PERFSTAMP_PARSE_LINE_MD5_H
#define PERFSTAMP_PARSE_LINE_MD5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_MD5_SIZE 16

/*
 * Of file @index of the table at @offset of .debug_line, whose @size bytes are in the other
 * byte order with @swap. Returns 0; -ENODATA if the table has none, or is of an older
 * version; -EBADMSG if it is cut off, has no such file, or a form that is not known.
 */
int line_md5__find(const void *bytes, size_t size, bool swap, uint64_t offset, uint64_t index,
	uint8_t ret[LINE_MD5_SIZE]);

#endif
