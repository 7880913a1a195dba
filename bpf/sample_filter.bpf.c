/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs when an event overflows, and returns 0 to drop the sample, which then takes no space in a
 * ring. user/source/perf/sample_filter.c loads one program for each filter, and sets the filter's
 * terms before that.
 */
#include "bpf/tree_tasks.h"

#include <linux/bpf_perf_event.h>

#include "bpf/casts.h"
#include "bpf/sample_filter.h"

char LICENSE[] SEC("license") = "GPL";

const volatile struct filter_term terms[FILTER_TERMS] = {};
const volatile __u32 n_terms = 0;
/* Whether the event counts on a whole CPU, and only samples of the tree are kept. */
const volatile bool of_tree = false;

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

/* From 6.2 on (commit fd264ca02094). */
static void *(*const cast_to_kern_ctx)(void *ctx) = (void *)CALL_CAST_TO_KERN_CTX;

enum special_kfunc_type___cast {
	KF_bpf_cast_to_kern_ctx = 0,
};

struct perf_sample_data {
	u64 time;
} __attribute__((preserve_access_index));

struct bpf_perf_event_data_kern {
	struct perf_sample_data *data;
} __attribute__((preserve_access_index));

/*
 * From 6.3 on (commit 4cf7a1363a1b) the sample is made before the program runs, so its time
 * is earlier than now.
 */
static __always_inline u64 sampled_at(struct bpf_perf_event_data *ctx)
{
	struct bpf_perf_event_data_kern *kernel;

	if (!bpf_core_enum_value_exists(enum special_kfunc_type___cast, KF_bpf_cast_to_kern_ctx))
		return 0;
	kernel = cast_to_kern_ctx(ctx);
	return kernel->data->time ? kernel->data->time - 1 : 0;
}

/*
 * A sample of a task that was reaped would have no pid, and is dropped. For a sample after the
 * task's EXIT, a note gives the reader the task's name: short processes use most of their time to
 * free their memory, which happens after the EXIT from Linux 6.16 on, and in earlier stable
 * releases.
 */
static __always_inline _Bool is_of_tree(struct bpf_perf_event_data *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	struct tree_process *process = tree__process(task);

	if (!process || !tree__has(process, task) || !BPF_CORE_READ(task, thread_pid))
		return 0;
	if (BPF_CORE_READ(task, flags) & PF_EXITING && !tree__is_reported(task))
		tree__note(TREE_NOTE_LATE, task, NULL, sampled_at(ctx));
	return 1;
}

SEC("perf_event")
int filter_sample(struct bpf_perf_event_data *ctx)
{
	_Bool any = 0;

	if (of_tree && !is_of_tree(ctx))
		return 0;
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
