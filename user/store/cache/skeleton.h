/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A skeleton: a copy of an ELF file that has its symbols, unwind tables and notes, and
 * neither code nor data nor debug information. All of it stands where it stood: the file is
 * as large as it was, with holes, so that its first page, and with it the cookie, are the
 * same; the headers of sections that are skipped say NOBITS. Whoever reads symbols reads
 * them as before, and no reader takes a hole for code.
 *
 * Parses ELF of any content: for bounded processes only.
 */
#ifndef PERFSTAMP_STORE_SKELETON_H
#define PERFSTAMP_STORE_SKELETON_H

#include <stdbool.h>
#include <stdint.h>

struct skeleton;

/*
 * Finds out what of @fd is to be copied. Returns 0; -ENOEXEC if there is no skeleton of it:
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
