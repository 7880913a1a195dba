/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Explains to an administrator why BPF programs cannot be used, and checks conditions
 * before programs are loaded. Does not know any program.
 */
#ifndef PERFSTAMP_SOURCE_BPF_REFUSAL_H
#define PERFSTAMP_SOURCE_BPF_REFUSAL_H

#include <stdbool.h>

#include "user/source/bpf/rung.h"

/* Describes in @attempt why @step of @rung failed with @code, a negative errno. */
void bpf_refusal__explain(struct rung_attempt *attempt, enum rung rung, int code, const char *step);

/* Returns why the kernel's BTF cannot be read, and what to do in @ret_advice; NULL: it can. */
const char *bpf_refusal__of_btf(const char **ret_advice);

/*
 * BPF programs see pids of the initial namespace, but perf events those of the namespace
 * that opened them.
 */
bool bpf_refusal__in_initial_pid_namespace(void);

/* Whether policy refuses every fentry program. Loads one that does nothing to find out. */
bool bpf_refusal__of_fentry(void);

#endif
