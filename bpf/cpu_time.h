/* SPDX-License-Identifier: GPL-2.0-only */
/* What bpf/cpu_time.bpf.c and user space (user/source/bpf/cpu_time.c) share. */
#ifndef PERFSTAMP_BPF_CPU_TIME_H
#define PERFSTAMP_BPF_CPU_TIME_H

#include <linux/types.h>

#define CPU_TIME_NAMES 2048      /* distinct names between two readings */
#define CPU_TIME_PROCESSES 32768 /* processes that are not freed when user space asks */

struct cpu_time_name {
	char comm[16]; /* task_struct.comm: any bytes up to a NUL */
};

struct cpu_time_sum {
	__u64 ns;
	__u64 processes; /* processes of this name */
};

struct cpu_time_state {
	__u64 since;               /* when the accounting began, CLOCK_MONOTONIC */
	__u64 missed;              /* processes whose time is missing, in part or as a whole */
	struct cpu_time_sum other; /* sum of the names for which the table has no room */
	__u32 on;                  /* 0: the programs add nothing */
	__u32 left_out;            /* pid of a process that is not recorded, or 0 */
};

#endif
