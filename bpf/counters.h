/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A counter for each way to lose or miss a record, and for some normal events. User
 * space reads them (user/source/bpf/bpf.c). The kernel itself counts the misses of the
 * recursion guard, for each program (bpf_prog_info.recursion_misses).
 */
#ifndef PERFSTAMP_BPF_COUNTERS_H
#define PERFSTAMP_BPF_COUNTERS_H

enum perfstamp_counter {
	COUNTER_RECORDS,   /* written to the ring */
	COUNTER_RING_FULL, /* dropped: the ring was full */
	COUNTER_VMA_BUSY,  /* sys_exit rung: mmap_lock was busy */
	COUNTER_VMA_GONE,  /* sys_exit rung: the mapping was gone at lookup */
	COUNTER_READ,      /* no loss: attempts to read an identity */
	COUNTER_STASHED,   /* no loss: identities from the stash */
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
