/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One counter for every way to lose or miss a record, read by user space
 * (user/source/bpf.c). The recursion guard's misses are not here: the kernel
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
	COUNTER_MAX,
};

#endif
