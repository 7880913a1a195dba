/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists kernel text outside of the image and modules that existed at startup: trampolines and
 * dispatchers of BPF, trampolines of ftrace, slots of kprobes. These symbols are at the very end of
 * /proc/kallsyms. The kernel takes a twentieth of a second to print all symbols before them, and a
 * third of that to skip these. So a thread reads the file while the recording begins. attr.ksymbol
 * reports text that is added later.
 */
#ifndef PERFSTAMP_SOURCE_KERNEL_SYMBOLS_H
#define PERFSTAMP_SOURCE_KERNEL_SYMBOLS_H

#include <stdbool.h>

#include "user/event/event.h"

struct kernel_symbols;

/*
 * Begins to read @fd, and closes it later. @fd has lines like those of /proc/kallsyms, with at
 * least these symbols (bpf_source__open_symbols()). If @fd is negative, reads /proc/kallsyms.
 * Returns 0 or -errno.
 */
int kernel_symbols__new(struct kernel_symbols **ret, int fd);
/* Waits for the thread, if it is still reading. @symbols may be NULL. */
void kernel_symbols__free(struct kernel_symbols *symbols);

/* Like proc_event_fn (source/kernel/proc_kernel.h). */
typedef int kernel_symbol_fn(void *ctx, const struct event *event);

/*
 * After the file has been read, calls @fn for each symbol with a KSYMBOL of time 0. With @wait,
 * waits for the end of reading. Returns 1 after all symbols; 0 if it must be called again; -errno
 * of reading; or what @fn returned. Skips hidden addresses, and BPF programs, which
 * source/bpf/symbols.h knows better.
 */
int kernel_symbols__synthesize(
	struct kernel_symbols *symbols, bool wait, kernel_symbol_fn *fn, void *ctx);

#endif
