/* SPDX-License-Identifier: GPL-2.0-only */
/* /proc/kallsyms, read to its end, symbol by symbol. Does not know what they mean. */
#ifndef PERFSTAMP_SOURCE_PROC_KALLSYMS_H
#define PERFSTAMP_SOURCE_PROC_KALLSYMS_H

#include "user/parse/kernel/kallsyms.h"

/* Calls @fn for each symbol of lines like those of /proc/kallsyms; the rest as below. */
int kallsyms__read_fd(int fd, int copy_fd, kallsyms_symbol_fn *fn, void *ctx);

/*
 * Calls @fn for each symbol of @root/proc/kallsyms (@root "": this machine's). The text is
 * written to @copy_fd as well, where that is not -1. Returns 0, -errno, or what @fn
 * returned if that is not 0, which ends it.
 */
int proc_kallsyms__read(const char *root, int copy_fd, kallsyms_symbol_fn *fn, void *ctx);

#endif
