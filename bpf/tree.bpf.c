/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follows forks, so that the children and threads of recorded tasks are recorded. A child
 * is in the table before it runs, since the kernel calls this before it wakes the child.
 */
#include "bpf/tree_tasks.h"

char LICENSE[] SEC("license") = "GPL";

__u32 noting; /* enum tree_noting */

static __always_inline bool is_noted(struct task_struct *task)
{
	return noting == TREE_NOTES_ALL ||
	       (noting == TREE_NOTES_UNREPORTED && !tree__is_reported(task));
}

static __always_inline void add_thread(struct task_struct *task)
{
	u32 tid = BPF_CORE_READ(task, pid);
	u64 start = tree__start(task);

	if (bpf_map_update_elem(&recorded_tids, &tid, &start, BPF_ANY))
		tree__count(TREE_UNFOLLOWED);
}

static __always_inline void add_process(struct task_struct *task)
{
	struct tree_process process = {.state = TREE_WHOLE};
	u32 pid = BPF_CORE_READ(task, tgid);

	process.start = tree__start(task);
	if (bpf_map_update_elem(&recorded_pids, &pid, &process, BPF_ANY))
		tree__count(TREE_UNFOLLOWED);
}

SEC("raw_tp/sched_process_fork")
int follow_fork(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *parent = (void *)ctx->args[0], *child = (void *)ctx->args[1];
	struct tree_process *process = tree__process(parent);

	if (!process || !tree__has(process, parent))
		return 0;
	if (BPF_CORE_READ(child, tgid) != BPF_CORE_READ(parent, tgid))
		add_process(child);
	else if (process->state == TREE_SOME_THREADS)
		add_thread(child);
	if (is_noted(child))
		tree__note(TREE_NOTE_FORK, child, parent, 0);
	return 0;
}

/* The remaining thread now has the leader's pid and start time. */
SEC("raw_tp/sched_process_exec")
int follow_exec(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (void *)ctx->args[0];
	u32 old_tid = ctx->args[1], pid = BPF_CORE_READ(task, tgid);
	struct tree_process *process = tree__process(task);

	if (!process)
		return 0;
	if (process->state == TREE_SOME_THREADS && !bpf_map_lookup_elem(&recorded_tids, &old_tid)) {
		bpf_map_delete_elem(&recorded_pids, &pid);
		return 0;
	}
	process->state = TREE_WHOLE;
	if (is_noted(task))
		tree__note(TREE_NOTE_COMM, task, NULL, 0);
	return 0;
}

/* Runs before the kernel removes the task's events. */
SEC("raw_tp/sched_process_exit")
int follow_exit(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (void *)ctx->args[0];
	struct tree_process *process;

	if (!noting)
		return 0;
	process = tree__process(task);
	if (process && tree__has(process, task) && is_noted(task))
		tree__note(TREE_NOTE_EXIT, task, NULL, 0);
	return 0;
}

/* A task is freed late: its pid may already be reused by another recorded task. */
SEC("raw_tp/sched_process_free")
int forget_process(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = (void *)ctx->args[0];
	u32 tid = BPF_CORE_READ(task, pid), pid = BPF_CORE_READ(task, tgid);
	u64 start = tree__start(task), *known;
	struct tree_process *process;

	if (tid == pid) {
		process = bpf_map_lookup_elem(&recorded_pids, &tid);
		if (process && process->start == start)
			bpf_map_delete_elem(&recorded_pids, &tid);
	}
	known = bpf_map_lookup_elem(&recorded_tids, &tid);
	if (known && *known == start)
		bpf_map_delete_elem(&recorded_tids, &tid);
	return 0;
}
