/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides whether a task belongs to the recorded tree, and writes notes on what the kernel does not
 * report about it. tree.bpf.c includes this and runs at fork, exec and exit. sample_filter.bpf.c
 * includes it as well and runs in an NMI: it only looks up tasks, because adding to a table may
 * allocate memory.
 */
#ifndef PERFSTAMP_BPF_TREE_TASKS_H
#define PERFSTAMP_BPF_TREE_TASKS_H

#include "bpf/kernel.h"
#include "bpf/tree.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536); /* 1 if only whole processes are recorded */
	__type(key, u32);           /* thread */
	__type(value, u64);         /* start time in ticks */
} recorded_tids SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096); /* bytes; user space sets it before loading */
} notes SEC(".maps");

struct tree_counters {
	u64 n[TREE_COUNTER_MAX];
} __attribute__((aligned(64))); /* bytes of a cache line */

/* One entry for each CPU, in memory that user space maps: see bpf/counters.h. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* user space sets it before loading */
	__type(key, u32);
	__type(value, struct tree_counters);
} tree_counters SEC(".maps");

/* From 6.2 on (commit bd2756811766), a task has one context; before, one for each kind of PMU. */
struct task_struct___one_context {
	void *perf_event_ctxp;
} __attribute__((preserve_access_index));

struct task_struct___two_contexts {
	void *perf_event_ctxp[2];
} __attribute__((preserve_access_index));

#define SOFTWARE_CONTEXT 1 /* its value in include/linux/perf_event.h */

static __always_inline void tree__count(enum tree_counter counter)
{
	u32 cpu = bpf_get_smp_processor_id();
	struct tree_counters *now = bpf_map_lookup_elem(&tree_counters, &cpu);

	/* The filter of samples, which runs in an NMI, counts here, too. */
	if (now)
		__sync_fetch_and_add(&now->n[counter], 1);
}

/*
 * Whether @task has a perf event, of this recorder or another one. Without one, the kernel
 * reports nothing more about it, and has already reported its EXIT.
 */
static __always_inline bool tree__is_reported(struct task_struct *task)
{
	struct task_struct___one_context *one = (void *)task;
	struct task_struct___two_contexts *two = (void *)task;

	if (bpf_core_field_exists(one->perf_event_ctxp))
		return BPF_CORE_READ(one, perf_event_ctxp);
	return BPF_CORE_READ(two, perf_event_ctxp[SOFTWARE_CONTEXT]);
}

static __always_inline bool tree__has(const struct tree_process *process, struct task_struct *task)
{
	u32 tid = BPF_CORE_READ(task, pid);
	u64 *start;

	if (process->state != TREE_SOME_THREADS)
		return process->state == TREE_WHOLE;
	start = bpf_map_lookup_elem(&recorded_tids, &tid);
	return start && *start == tree__start(task);
}

/* @sampled_ns: when @task was sampled, in the samples' clock; 0: now. */
static __always_inline void tree__note(
	u32 kind, struct task_struct *task, struct task_struct *parent, u64 sampled_ns)
{
	struct tree_note note = {.kind = kind, .is_converted = !!sampled_ns};

	note.time_ns = sampled_ns ? sampled_ns : bpf_ktime_get_ns();
	note.pid = BPF_CORE_READ(task, tgid);
	note.tid = BPF_CORE_READ(task, pid);
	if (parent) {
		note.ppid = BPF_CORE_READ(parent, tgid);
		note.ptid = BPF_CORE_READ(parent, pid);
	}
	bpf_probe_read_kernel(note.comm, sizeof(note.comm), task->comm);
	if (bpf_ringbuf_output(&notes, &note, sizeof(note), BPF_RB_NO_WAKEUP))
		tree__count(TREE_NOTES_LOST);
}

#endif
