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
 * Runs @program, which is loaded, and calls @fn for each record (perfstamp/record.h) that it makes.
 * If @pid is not 0, the records are of this process only; before Linux 6.1 they may be of others,
 * too. Returns 0, what @fn returned, -EBADMSG for bytes that are not a record, or -errno.
 */
int bpf_iterator__run(struct bpf_program *program, pid_t pid, bpf_record_fn fn, void *ctx);

#endif
