/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tree: processes and threads that are recorded by pid or as a workload, and all their
 * descendants, which BPF programs follow. The sources of mappings and the filters of
 * samples look tasks up in its tables. The kernel side is bpf/tree.bpf.c.
 */
#ifndef PERFSTAMP_SOURCE_BPF_TASK_TREE_H
#define PERFSTAMP_SOURCE_BPF_TASK_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/tree.h"
#include "user/base/error.h"

struct task_tree;
struct sample_tree;

/*
 * Loads and attaches the programs that follow forks. The tree is still empty. @with_threads: single
 * threads will be added. Returns 0; -EPERM without CAP_BPF and CAP_PERFMON; -EOPNOTSUPP in a pid or
 * time namespace of its own; or the kernel's error; each with text.
 */
int task_tree__new(struct task_tree **ret, bool with_threads, struct error *err);
void task_tree__free(struct task_tree *tree);

/*
 * Adds process @pid with all its threads. With @at_exec, its samples count only after its next
 * exec. Returns 0, -ESRCH if there is no such process, or another -errno.
 */
int task_tree__add_process(struct task_tree *tree, pid_t pid, bool at_exec);
/*
 * Adds thread @tid, and its process @pid: mappings of the process are recorded, but only samples of
 * the thread. Returns as task_tree__add_process().
 */
int task_tree__add_thread(struct task_tree *tree, pid_t pid, pid_t tid);
void task_tree__remove(struct task_tree *tree, pid_t pid);
/* Whether at least one thread of process @pid is in the tree. */
bool task_tree__has(const struct task_tree *tree, pid_t pid);

/* The table of processes, for programs that look them up. Owned by the tree. */
int task_tree__pids_fd(const struct task_tree *tree);
/* What sample filters need (perf/sample_filter.h). Owned by the tree. */
const struct sample_tree *task_tree__filter(const struct task_tree *tree);

/* Selects the tasks for whose forks, execs and exits notes are written; at first, none. */
void task_tree__note(struct task_tree *tree, enum tree_noting which);
/* A negative errno from it ends the walk, which returns it. */
typedef int task_tree_note_fn(void *ctx, const struct tree_note *note);
/* Calls @fn for each note that exists. Returns 0 or -errno. */
int task_tree__drain(struct task_tree *tree, task_tree_note_fn *fn, void *ctx);

struct task_tree_losses {
	uint64_t unfollowed; /* children and threads that are missing in it */
	uint64_t notes;
};

/* These are sums since the start. */
void task_tree__losses(const struct task_tree *tree, struct task_tree_losses *ret);

#endif
