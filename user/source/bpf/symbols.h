/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF programs that are loaded when recording begins, our own among them,
 * as KSYMBOL and BPF events: later ones are the kernel's own. Knows no file format.
 */
#ifndef PERFSTAMP_SOURCE_BPF_SYMBOLS_H
#define PERFSTAMP_SOURCE_BPF_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"

/* The event is gone after it returns. A negative value ends all. */
typedef int bpf_symbol_fn(void *ctx, const struct event *event);

/*
 * Calls @fn for each function of each program, named as kallsyms names it, with
 * time 0, and then for the program itself. A program that is unloaded meanwhile,
 * or that may not be seen, is left out. Returns 0; 1 where there are some that may not; the
 * negative value that @fn returned; -EPERM without CAP_SYS_ADMIN, -ENOSYS where there is no
 * bpf(2), or -ENOMEM.
 */
int bpf_symbols__synthesize(bpf_symbol_fn *fn, void *ctx);

/*
 * The ids of all programs that there are, also of those that may not be seen, ascending:
 * @ret_n in *@ret, the caller's to free. 0, or as above.
 */
int bpf_symbols__ids(uint32_t **ret, size_t *ret_n);

#endif
