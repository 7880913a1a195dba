/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A skeleton: a copy of an ELF file with its symbols, unwind tables and notes, but without code,
 * data or debug information. Everything keeps its offset: the file has the original size, with
 * holes, so its first page and its cookie are unchanged. The headers of omitted sections have the
 * type NOBITS. So symbols are read as before, and no reader mistakes a hole for code.
 *
 * Parses untrusted ELF: for confined processes only.
 */
#ifndef PERFSTAMP_STORE_SKELETON_H
#define PERFSTAMP_STORE_SKELETON_H

#include <stdbool.h>
#include <stdint.h>

struct skeleton;

/*
 * Determines the parts of @fd to copy. Returns 0; -ENOEXEC if there is no skeleton of it:
 * it is not ELF, has no sections, or has their headers in its first page; or -errno.
 */
int skeleton__new(struct skeleton **ret, int fd);
void skeleton__free(struct skeleton *skeleton);
/* That are copied. */
uint64_t skeleton__bytes(const struct skeleton *skeleton);
/*
 * Copies that from @from to the empty file @to, and compares it with what @from has then.
 * Returns 0; -ESTALE if it changed meanwhile; or -errno.
 */
int skeleton__write(const struct skeleton *skeleton, int from, int to);

/* Whether the ELF file @fd is without its code, as skeletons and debug files are. */
bool skeleton__is(int fd);

#endif
