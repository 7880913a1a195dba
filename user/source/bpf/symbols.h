/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists the BPF programs that are loaded when recording begins, including our own, as
 * KSYMBOL and BPF events. The kernel reports later ones. Does not know any file format.
 */
#ifndef PERFSTAMP_SOURCE_BPF_SYMBOLS_H
#define PERFSTAMP_SOURCE_BPF_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"

/* The event is valid during the call. A negative result ends the walk. */
typedef int bpf_symbol_fn(void *ctx, const struct event *event);

/*
 * Calls @fn for each function of each program, with the function's name in kallsyms and time 0, and
 * then for the program itself. Programs that are unloaded meanwhile, or that we may not read, are
 * skipped. Returns 0; 1 if there are programs that we may not read; the negative result of @fn;
 * -EPERM without CAP_SYS_ADMIN, -ENOSYS if there is no bpf(2), or -ENOMEM.
 */
int bpf_symbols__synthesize(bpf_symbol_fn *fn, void *ctx);

/*
 * Lists the ids of all loaded programs in ascending order, including those that may not be
 * read: @ret_n in *@ret, which the caller frees. Returns 0, or as above.
 */
int bpf_symbols__ids(uint32_t **ret, size_t *ret_n);

#endif
