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

struct counters {
	u64 n[COUNTER_MAX];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1); /* so that user space reads all at once */
	__type(key, u32);
	__type(value, struct counters);
} counters SEC(".maps");

static __always_inline void counter__add(enum perfstamp_counter counter)
{
	u32 key = 0;
	struct counters *now = bpf_map_lookup_elem(&counters, &key);

	if (now)
		now->n[counter]++;
}
#endif

#endif
