/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's ids of the types that bpf/read.h casts to, which user space fills in. */
#ifndef PERFSTAMP_BPF_CASTS_H
#define PERFSTAMP_BPF_CASTS_H

#include <linux/types.h>

struct cast_types {
	__u32 timespec64;
	__u32 perf_event_header;
	__u32 xa_node;
};

#endif
