/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads /proc/kallsyms, symbol by symbol. Does not know what the symbols mean. */
#ifndef PERFSTAMP_SOURCE_PROC_KALLSYMS_H
#define PERFSTAMP_SOURCE_PROC_KALLSYMS_H

#include "user/parse/kernel/kallsyms.h"

/*
 * Calls @fn for each symbol of @fd, which has lines like those of /proc/kallsyms. Otherwise like
 * proc_kallsyms__read().
 */
int kallsyms__read_fd(int fd, int copy_fd, kallsyms_symbol_fn *fn, void *ctx);

/*
 * Calls @fn for each symbol of @root/proc/kallsyms (@root "": this machine's), and also writes the
 * text to @copy_fd if that is not -1. A nonzero result of @fn ends the reading and is returned;
 * otherwise returns 0 or -errno.
 */
int proc_kallsyms__read(const char *root, int copy_fd, kallsyms_symbol_fn *fn, void *ctx);

#endif
