/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a BPF iterator, once and to its end. Does not know what it iterates over.
 */
#ifndef PERFSTAMP_SOURCE_BPF_ITERATOR_H
#define PERFSTAMP_SOURCE_BPF_ITERATOR_H

#include <sys/types.h>

#include "user/source/bpf/records.h"

struct bpf_program;

/*
 * Returns a descriptor from which the output of the loaded @program can be read, or -errno.
 * The caller closes it.
 */
int bpf_iterator__open(const struct bpf_program *program);

/*
 * Calls @fn for each record (perfstamp/record.h) that @program, which is loaded, makes; If
 * @pid is not 0, only for this process from Linux 6.1 on; before, also for others. Returns
 * 0, what @fn returned, -EBADMSG for what is no record, or -errno.
 */
int bpf_iterator__run(struct bpf_program *program, pid_t pid, bpf_record_fn fn, void *ctx);

#endif
