/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Placeholders for the kernel's functions bpf_rdonly_cast() and bpf_cast_to_kern_ctx(),
 * which user space (user/source/kernel/types.c) replaces by calls of these functions. If
 * they were declared as the kernel's functions, libbpf would search all of the kernel's
 * types for them.
 */
#ifndef PERFSTAMP_BPF_CASTS_H
#define PERFSTAMP_BPF_CASTS_H

#include <linux/types.h>

/* Numbers that no BPF helper has. User space replaces calls of them. */
#define CALL_RDONLY_CAST 0x70736370      /* bpf_rdonly_cast() */
#define CALL_CAST_TO_KERN_CTX 0x70736371 /* bpf_cast_to_kern_ctx() */

/* The kernel's ids of the types that bpf/read.h casts to. */
struct cast_types {
	__u32 timespec64;
	__u32 perf_event_header;
	__u32 xa_node;
};

#endif
