/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's functions from a file like /proc/kallsyms. A part of symbols.c.
 */
#ifndef PERFSTAMP_SYMBOLS_ELF_KALLSYMS_H
#define PERFSTAMP_SYMBOLS_ELF_KALLSYMS_H

#include "user/symbols/elf/table.h"

/*
 * Adds the functions of the kernel's image. Those of modules are skipped, because the file does not
 * show which build of a module they belong to. Returns the number of added functions, 0 if the
 * addresses are hidden, or -errno.
 */
int symbols_kallsyms__add(struct symbols_table *table, const char *path);

#endif
