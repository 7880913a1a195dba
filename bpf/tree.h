/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tree: the processes that are recorded by number or as a workload, and all that they
 * make. bpf/tree.bpf.c keeps these tables, the programs that see mappings look processes up,
 * and those that filter samples, threads. user/source/bpf/task_tree.c fills them in first.
 */
#ifndef PERFSTAMP_BPF_TREE_H
#define PERFSTAMP_BPF_TREE_H

#include <linux/types.h>

/* The unit of start times, as /proc/PID/stat has them: USER_HZ is 100 on every machine. */
#define TREE_TICK_NS 10000000ull

enum tree_state {
	TREE_WHOLE,        /* all threads are sampled */
	TREE_SOME_THREADS, /* those in recorded_tids are */
	TREE_AT_EXEC,      /* a workload, which is sampled from its exec on */
};

/* A process whose number is used again is another one: it began at another time. */
struct tree_process {
	__u64 start; /* ticks since the boot */
	__u32 state; /* enum tree_state */
	__u32 reserved;
};

/*
 * What the kernel's own records lack of a task, since it has no event of ours any
 * more: the kernel takes it away when the task exits, before the end of its work, and when it
 * executes a program with other rights (setuid).
 */
enum tree_note_kind {
	TREE_NOTE_FORK = 1,
	TREE_NOTE_COMM, /* after an exec */
	TREE_NOTE_EXIT,
	TREE_NOTE_LATE, /* it is sampled behind its EXIT */
};

/* Which tasks of the tree are noted. */
enum tree_noting {
	TREE_NOTES_NONE,
	TREE_NOTES_ALL,        /* the events that would report them exist, and are disabled */
	TREE_NOTES_UNREPORTED, /* those that have no event, where whole CPUs are sampled */
};

struct tree_note {
	__u64 time_ns; /* CLOCK_MONOTONIC, or where .is_converted the samples' clock */
	__u32 kind;    /* enum tree_note_kind */
	__u32 pid;
	__u32 tid;
	__u32 ppid; /* of FORK */
	__u32 ptid;
	__u32 is_converted;
	char comm[16];
};

enum tree_counter {
	TREE_UNFOLLOWED, /* children and threads that the tables had no room for */
	TREE_NOTES_LOST, /* the ring had no room */
	TREE_COUNTER_MAX,
};

#ifdef __bpf__
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, __u32); /* thread group */
	__type(value, struct tree_process);
} recorded_pids SEC(".maps");
#endif

#endif
