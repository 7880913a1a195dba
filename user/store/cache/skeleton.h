/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A skeleton is a copy of an ELF file with its symbols, unwind tables and notes, but without code,
 * data or debug information. Everything keeps its offset: the copy has the size of the original,
 * with holes. So its first page and its cookie are unchanged. The headers of omitted sections have
 * the type NOBITS. So readers find the symbols in their usual places, and do not mistake a hole for
 * code.
 *
 * Parses untrusted ELF: for confined processes only.
 */
#ifndef PERFSTAMP_STORE_SKELETON_H
#define PERFSTAMP_STORE_SKELETON_H

#include <stdbool.h>
#include <stdint.h>

struct skeleton;

/*
 * Determines the parts of @fd to copy. Returns 0; -ENOEXEC if no skeleton of the file is possible:
 * it is not ELF, has no sections, or has the headers of omitted sections in its first page; or
 * -errno.
 */
int skeleton__new(struct skeleton **ret, int fd);
void skeleton__free(struct skeleton *skeleton);
/* Returns the number of bytes that are copied. */
uint64_t skeleton__bytes(const struct skeleton *skeleton);
/*
 * Copies these parts of @from to the empty file @to, and then compares them with @from again.
 * Returns 0; -ESTALE if @from changed meanwhile; or -errno.
 */
int skeleton__write(const struct skeleton *skeleton, int from, int to);

/* Whether the ELF file @fd has no code, like skeletons and debug files. */
bool skeleton__is(int fd);

#endif
