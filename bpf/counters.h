/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One counter for every way to lose or miss a record, and some for what is done, read by
 * user space (user/source/bpf/bpf.c). The recursion guard's misses are not here: the kernel
 * counts them for each program (bpf_prog_info.recursion_misses).
 */
#ifndef PERFSTAMP_BPF_COUNTERS_H
#define PERFSTAMP_BPF_COUNTERS_H

enum perfstamp_counter {
	COUNTER_RECORDS,   /* put into the ring */
	COUNTER_RING_FULL, /* dropped: the ring had no room */
	COUNTER_VMA_BUSY,  /* sys_exit rung: mmap_lock was held by another */
	COUNTER_VMA_GONE,  /* sys_exit rung: not found when it was looked up */
	COUNTER_PID_FULL,  /* a child that the table of recorded pids had no room for */
	COUNTER_READ,      /* not a loss: identities that were read, or tried to */
	COUNTER_STASHED,   /* neither: identities from the stash */
	COUNTER_MAX,
};

#ifdef __bpf__
#include "bpf/kernel.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, COUNTER_MAX);
	__type(key, u32);
	__type(value, u64);
} counters SEC(".maps");

static __always_inline void counter__add(u32 counter)
{
	u64 *value = bpf_map_lookup_elem(&counters, &counter);

	if (value)
		(*value)++;
}
#endif

#endif
