/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs when an event overflows, and says by 0 that no sample is made: what is
 * left out takes no room in a ring. user/source/perf/sample_filter.c fills in the
 * terms before it loads the program, once for each filter.
 */
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <linux/ptrace.h>
#include <linux/types.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/sample_filter.h"

char LICENSE[] SEC("license") = "GPL";

const volatile struct filter_term terms[FILTER_TERMS] = {};
const volatile __u32 n_terms = 0;

static __always_inline __u64 field(struct bpf_perf_event_data *ctx, __u32 which)
{
	switch (which) {
	case FILTER_IP:
		return PT_REGS_IP(&ctx->regs);
	case FILTER_PID:
		return bpf_get_current_pid_tgid() >> 32;
	case FILTER_TID:
		return (__u32)bpf_get_current_pid_tgid();
	case FILTER_CPU:
		return bpf_get_smp_processor_id();
	case FILTER_TIME:
		return bpf_ktime_get_ns();
	case FILTER_ADDR:
		return ctx->addr;
	case FILTER_PERIOD:
		return ctx->sample_period;
	case FILTER_UID:
		return (__u32)bpf_get_current_uid_gid();
	case FILTER_GID:
		return bpf_get_current_uid_gid() >> 32;
	case FILTER_CGROUP:
		return bpf_get_current_cgroup_id();
	default:
		return 0;
	}
}

static __always_inline _Bool compare(__u64 have, __u32 op, __u64 want)
{
	switch (op) {
	case FILTER_EQ:
		return have == want;
	case FILTER_NE:
		return have != want;
	case FILTER_GT:
		return have > want;
	case FILTER_GE:
		return have >= want;
	case FILTER_LT:
		return have < want;
	case FILTER_LE:
		return have <= want;
	default:
		return (have & want) != 0;
	}
}

static __always_inline _Bool is_comm(const volatile struct filter_term *term)
{
	char comm[FILTER_COMM] = {};

	if (bpf_get_current_comm(comm, sizeof(comm)))
		return 0;
	for (__u32 i = 0; i < FILTER_COMM; i++) {
		if (i >= term->comm_len)
			return 1;
		if (comm[i] != term->comm[i])
			return 0;
	}
	return 1;
}

static __always_inline _Bool holds(
	struct bpf_perf_event_data *ctx, const volatile struct filter_term *term)
{
	if (term->field == FILTER_COMM_NAME)
		return is_comm(term) == (term->op == FILTER_EQ);
	return compare(field(ctx, term->field), term->op, term->value);
}

SEC("perf_event")
int filter_sample(struct bpf_perf_event_data *ctx)
{
	_Bool any = 0;

	for (__u32 i = 0; i < FILTER_TERMS; i++) {
		if (i >= n_terms)
			break;
		any = any || holds(ctx, &terms[i]);
		if (terms[i].or_next)
			continue;
		if (!any)
			return 0;
		any = 0;
	}
	return 1;
}
