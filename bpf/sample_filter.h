/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One term of --filter, as user space passes it to the program. Fields and operators have
 * the numbers of user/parse/event/sample_filter.h.
 */
#ifndef PERFSTAMP_BPF_SAMPLE_FILTER_H
#define PERFSTAMP_BPF_SAMPLE_FILTER_H

#include <linux/types.h>

#define FILTER_TERMS 16
#define FILTER_COMM 16

enum filter_field {
	FILTER_IP,
	FILTER_PID,
	FILTER_TID,
	FILTER_CPU,
	FILTER_TIME,
	FILTER_ADDR,
	FILTER_PERIOD,
	FILTER_UID,
	FILTER_GID,
	FILTER_CGROUP,
	FILTER_COMM_NAME,
};

enum filter_op {
	FILTER_EQ,
	FILTER_NE,
	FILTER_GT,
	FILTER_GE,
	FILTER_LT,
	FILTER_LE,
	FILTER_AND,
};

struct filter_term {
	__u32 field;
	__u32 op;
	__u32 or_next;
	__u32 comm_len; /* bytes of .comm that are compared; its NUL counts unless it is a prefix */
	__u64 value;
	char comm[FILTER_COMM];
};

#endif
