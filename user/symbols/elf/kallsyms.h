/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's functions from a file like /proc/kallsyms. A part of symbols.c.
 */
#ifndef PERFSTAMP_SYMBOLS_ELF_KALLSYMS_H
#define PERFSTAMP_SYMBOLS_ELF_KALLSYMS_H

#include "user/symbols/elf/table.h"

/*
 * Adds those of the kernel's image; a module's are skipped, since the file does not show
 * which build of it they are of. Returns how many, 0 where addresses are hidden, or -errno.
 */
int symbols_kallsyms__add(struct symbols_table *table, const char *path);

#endif
