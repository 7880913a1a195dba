/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The casts of the kernel's verifier: what user space (user/source/kernel/types.c) puts in their
 * place. If they were declared as the kernel's functions that they are, libbpf would look for them
 * in all of the kernel's types.
 */
#ifndef PERFSTAMP_BPF_CASTS_H
#define PERFSTAMP_BPF_CASTS_H

#include <linux/types.h>

/* Numbers that no helper has; calls of them become calls of the kernel's functions. */
#define CALL_RDONLY_CAST 0x70736370      /* bpf_rdonly_cast() */
#define CALL_CAST_TO_KERN_CTX 0x70736371 /* bpf_cast_to_kern_ctx() */

/* The kernel's ids of the types that bpf/read.h casts to. */
struct cast_types {
	__u32 timespec64;
	__u32 perf_event_header;
	__u32 xa_node;
};

#endif
