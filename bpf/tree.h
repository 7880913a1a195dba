/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tree: the processes that are recorded by pid or as a workload, and all their
 * descendants. user/source/bpf/task_tree.c fills the tables at the start, and
 * bpf/tree.bpf.c updates them. The programs that observe mappings look up processes in
 * them, and the programs that filter samples look up threads.
 */
#ifndef PERFSTAMP_BPF_TREE_H
#define PERFSTAMP_BPF_TREE_H

#include <linux/types.h>

/* The unit of start times, as /proc/PID/stat has them: USER_HZ is 100 on every machine. */
#define TREE_TICK_NS 10000000ull

enum tree_state {
	TREE_WHOLE,        /* all threads are sampled */
	TREE_SOME_THREADS, /* those in recorded_tids are sampled */
	TREE_AT_EXEC,      /* a workload that is sampled from its exec on */
};

/* The start time distinguishes processes that have the same pid one after another. */
struct tree_process {
	__u64 start; /* ticks since the boot */
	__u32 state; /* enum tree_state */
	__u32 reserved;
};

/*
 * Facts about a task that the kernel's own records do not report, because the task no longer has an
 * event. The kernel removes a task's events when the task exits, before its last instructions, and
 * when it executes a program with other privileges (setuid).
 */
enum tree_note_kind {
	TREE_NOTE_FORK = 1,
	TREE_NOTE_COMM, /* after an exec */
	TREE_NOTE_EXIT,
	TREE_NOTE_LATE, /* it was sampled after its EXIT */
};

/* The tasks of the tree for which notes are written. */
enum tree_noting {
	TREE_NOTES_NONE,
	TREE_NOTES_ALL,        /* all tasks while the events that would report them are disabled */
	TREE_NOTES_UNREPORTED, /* tasks without an event, if whole CPUs are sampled */
};

struct tree_note {
	__u64 time_ns; /* CLOCK_MONOTONIC, or the samples' clock if .is_converted */
	__u32 kind;    /* enum tree_note_kind */
	__u32 pid;
	__u32 tid;
	__u32 ppid; /* parent of a FORK's process */
	__u32 ptid;
	__u32 is_converted;
	char comm[16];
};

enum tree_counter {
	TREE_UNFOLLOWED, /* children and threads for which the tables were full */
	TREE_NOTES_LOST, /* the ring had no room */
	TREE_COUNTER_MAX,
};

#ifdef __bpf__
#include "bpf/kernel.h"

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, __u32); /* thread group */
	__type(value, struct tree_process);
} recorded_pids SEC(".maps");

static __always_inline u64 tree__start(const struct task_struct *task)
{
	return BPF_CORE_READ(task, start_boottime) / TREE_TICK_NS;
}

/* The process of @task, if at least one of its threads is recorded. */
static __always_inline struct tree_process *tree__process(struct task_struct *task)
{
	u32 pid = BPF_CORE_READ(task, tgid);
	struct tree_process *process = bpf_map_lookup_elem(&recorded_pids, &pid);
	struct task_struct *leader;

	if (!process)
		return NULL;
	leader = BPF_CORE_READ(task, group_leader);
	return process->start == tree__start(leader) ? process : NULL;
}
#endif

#endif
