/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists kernel text outside of the image and modules that existed at startup: trampolines
 * and dispatchers of BPF, ftrace's trampolines, slots of kprobes. /proc/kallsyms has them
 * at its very end, and the kernel takes a twentieth of a second to print what comes before,
 * and a third of that to skip it: a thread reads it while the recording begins. Later ones
 * are reported by attr.ksymbol.
 */
#ifndef PERFSTAMP_SOURCE_KERNEL_SYMBOLS_H
#define PERFSTAMP_SOURCE_KERNEL_SYMBOLS_H

#include <stdbool.h>

#include "user/event/event.h"

struct kernel_symbols;

/*
 * Begins to read @fd, which it closes: lines as of /proc/kallsyms, of at least these symbols
 * (bpf_source__open_symbols()); or, where it is negative, that file. Returns 0 or -errno.
 */
int kernel_symbols__new(struct kernel_symbols **ret, int fd);
/* Waits for the thread, where it is still reading. NULL is let pass. */
void kernel_symbols__free(struct kernel_symbols *symbols);

/* As proc_event_fn (source/kernel/proc_kernel.h). */
typedef int kernel_symbol_fn(void *ctx, const struct event *event);

/*
 * Calls @fn for each, a KSYMBOL with time 0, once reading has ended, which it waits for
 * with @wait. Returns 1 when all were handed out; 0 when it is to be called again; -errno
 * of reading; or what @fn returned. Hidden addresses are skipped, and so are BPF programs,
 * which source/bpf/symbols.h knows better.
 */
int kernel_symbols__synthesize(
	struct kernel_symbols *symbols, bool wait, kernel_symbol_fn *fn, void *ctx);

#endif
