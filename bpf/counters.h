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
} __attribute__((aligned(64))); /* bytes of a cache line */

/*
 * One entry for each CPU, in memory that user space maps. If user space read a map by a system call
 * instead, the kernel would disable kprobe programs on that CPU meanwhile
 * (bpf_disable_instrumentation()). If another process preempted the reader then, its mappings would
 * be missed.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* user space sets it before loading */
	__type(key, u32);
	__type(value, struct counters);
} counters SEC(".maps");

static __always_inline void counter__add(enum perfstamp_counter counter)
{
	u32 cpu = bpf_get_smp_processor_id();
	struct counters *now = bpf_map_lookup_elem(&counters, &cpu);

	/* Atomic, because a program of another kind may interrupt this one here. */
	if (now)
		__sync_fetch_and_add(&now->n[counter], 1);
}
#endif

#endif
