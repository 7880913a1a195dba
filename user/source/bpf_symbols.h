/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF programs that are loaded when recording begins, our own among them,
 * as KSYMBOL and BPF events: later ones are told by the kernel. Knows no file format.
 */
#ifndef PERFSTAMP_SOURCE_BPF_SYMBOLS_H
#define PERFSTAMP_SOURCE_BPF_SYMBOLS_H

#include "user/event/event.h"

/* The event is gone after it returns. A value other than 0 ends all. */
typedef int bpf_symbol_fn(void *ctx, const struct event *event);

/*
 * Calls @fn for each function of each program, named as kallsyms names it, with
 * time 0, and then for the program itself. A program that is unloaded meanwhile,
 * or that may not be seen, is left out. Returns 0, what @fn returned, -EPERM without CAP_BPF, or
 * -ENOMEM.
 */
int bpf_symbols__synthesize(bpf_symbol_fn *fn, void *ctx);

#endif
