/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tree: processes and threads that are recorded by number or as a workload, and all that
 * they make, as BPF programs follow it. The sources of mappings and the filters of samples look
 * tasks up in its tables. The kernel side is bpf/tree.bpf.c.
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
 * Loads and attaches what follows forks; nothing is in the tree yet. @with_threads: single
 * threads are to be added. Returns 0; -EPERM without CAP_BPF and CAP_PERFMON; -EOPNOTSUPP in a
 * pid or time namespace of its own; else what the kernel says; each with text.
 */
int task_tree__new(struct task_tree **ret, bool with_threads, struct error *err);
void task_tree__free(struct task_tree *tree);

/*
 * Adds process @pid with all its threads; @at_exec: its samples count from its next exec
 * on. Returns 0, -ESRCH if there is none, or another -errno.
 */
int task_tree__add_process(struct task_tree *tree, pid_t pid, bool at_exec);
/*
 * Adds thread @tid, and process @pid that it is of: mappings are its, samples the thread's
 * alone. As above.
 */
int task_tree__add_thread(struct task_tree *tree, pid_t pid, pid_t tid);
void task_tree__remove(struct task_tree *tree, pid_t pid);
/* Whether process @pid is in it, with some of its threads at least. */
bool task_tree__has(const struct task_tree *tree, pid_t pid);

/* The table of processes, for programs that look them up. The tree's. */
int task_tree__pids_fd(const struct task_tree *tree);
/* What filters of samples need (perf/sample_filter.h). The tree's. */
const struct sample_tree *task_tree__filter(const struct task_tree *tree);

/* From now on these tasks' forks, execs and exits are noted; none at first. */
void task_tree__note(struct task_tree *tree, enum tree_noting which);
/* A negative errno that it returns ends the walk, and is returned. */
typedef int task_tree_note_fn(void *ctx, const struct tree_note *note);
/* Hands out the notes that exist. Returns 0 or -errno. */
int task_tree__drain(struct task_tree *tree, task_tree_note_fn *fn, void *ctx);

struct task_tree_losses {
	uint64_t unfollowed; /* children and threads that are missing in it */
	uint64_t notes;
};

/* Sums since the start. Returns 0 or -errno. */
int task_tree__losses(const struct task_tree *tree, struct task_tree_losses *ret);

#endif
