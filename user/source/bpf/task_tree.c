// SPDX-License-Identifier: GPL-2.0-only
/* See task_tree.h; the skeleton is included here and nowhere else. */
#include "user/source/bpf/task_tree.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/types.h>
#include "tree.skel.h"
#include "user/source/bpf/counters.h"
#include "user/source/bpf/refusal.h"
#include "user/source/bpf/ring.h"
#include "user/source/bpf/tables.h"
#include "user/source/kernel/types.h"
#include "user/source/perf/sample_filter.h"
#include "user/source/proc/stat.h"

#define NOTES_SIZE_CPU (64u << 10) /* bytes of the ring: a thousand notes */
#define NOTES_SIZE_MAX (4u << 20)
/* PROC_TIME_INIT_INO of include/linux/proc_ns.h */
#define INITIAL_TIME_NS 0xeffffffau

struct task_tree {
	struct tree_bpf *skel;
	struct bpf_ring *notes;
	struct bpf_counters counters;
	struct sample_tree filter;
	/* only during a drain: */
	task_tree_note_fn *fn;
	void *ctx;
	int result;
};

/* In such a namespace, the start times of processes differ from those that the kernel side sees. */
static bool in_initial_time_namespace(void)
{
	struct stat ns;

	return stat("/proc/self/ns/time", &ns) || ns.st_ino == INITIAL_TIME_NS;
}

static size_t notes_size(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	size_t size = 4 * NOTES_SIZE_CPU;

	while (size < (size_t)cpus * NOTES_SIZE_CPU && size < NOTES_SIZE_MAX)
		size *= 2;
	return size;
}

static int on_note(void *ctx, void *data, size_t size)
{
	struct task_tree *tree = ctx;

	if (size >= sizeof(struct tree_note) && !tree->result)
		tree->result = tree->fn(tree->ctx, data);
	return tree->result;
}

static int load(struct task_tree *tree, bool with_threads)
{
	int code;

	libbpf_set_print(NULL);
	tree->skel = KERNEL_TYPES_OPEN(tree_bpf);
	if (!tree->skel)
		return -errno;
	code = bpf_map__set_max_entries(tree->skel->maps.notes, notes_size());
	if (!code)
		code = bpf_counters__size(tree->skel->maps.tree_counters);
	if (!code)
		code = bpf_tables__grow_by_pid(tree->skel->maps.recorded_pids);
	if (!code)
		code = with_threads ? bpf_tables__grow_by_pid(tree->skel->maps.recorded_tids)
				    : bpf_map__set_max_entries(tree->skel->maps.recorded_tids, 1);
	if (!code)
		code = kernel_types__load(tree->skel->skeleton);
	if (!code)
		code = tree_bpf__attach(tree->skel);
	if (code)
		return code;
	code = bpf_ring__new(&tree->notes, bpf_map__fd(tree->skel->maps.notes));
	if (!code)
		code = bpf_counters__map(
			&tree->counters, bpf_map__fd(tree->skel->maps.tree_counters));
	if (code)
		return code;
	tree->filter = (struct sample_tree){
		.pids_fd = bpf_map__fd(tree->skel->maps.recorded_pids),
		.tids_fd = bpf_map__fd(tree->skel->maps.recorded_tids),
		.notes_fd = bpf_map__fd(tree->skel->maps.notes),
		.counters_fd = bpf_map__fd(tree->skel->maps.tree_counters),
	};
	return 0;
}

int task_tree__new(struct task_tree **ret, bool with_threads, struct error *err)
{
	struct task_tree *tree;
	int code;

	*ret = NULL;
	if (!bpf_refusal__in_initial_pid_namespace())
		return error__set(err, -EOPNOTSUPP,
			"this pid namespace has pids of its own: use the host's (hostPID, "
			"--pid=host)");
	if (!in_initial_time_namespace())
		return error__set(err, -EOPNOTSUPP,
			"this time namespace has clocks of its own: use the host's");
	tree = calloc(1, sizeof(*tree));
	if (!tree)
		return error__set(err, -ENOMEM, "out of memory");
	kernel_types__hold();
	code = load(tree, with_threads);
	kernel_types__release();
	if (!code) {
		*ret = tree;
		return 0;
	}
	task_tree__free(tree);
	if (code == -EPERM || code == -EACCES)
		return error__set(err, code,
			"BPF programs need CAP_BPF and CAP_PERFMON (or root), and lockdown must "
			"not be 'confidentiality'");
	return error__errno(err, code, "the kernel refuses the BPF programs that follow forks");
}

void task_tree__free(struct task_tree *tree)
{
	if (!tree)
		return;
	bpf_counters__unmap(&tree->counters);
	bpf_ring__free(tree->notes);
	tree_bpf__destroy(tree->skel);
	free(tree);
}

static int put_process(
	struct task_tree *tree, pid_t pid, enum tree_state state, unsigned long long flags)
{
	struct tree_process process = {.state = state};
	struct task_stat stat;
	uint32_t key = pid;
	int code = proc_stat__read(&stat, pid, 0);

	if (code)
		return code == -ENOENT ? -ESRCH : code;
	process.start = stat.start_ticks;
	code = bpf_map_update_elem(tree->filter.pids_fd, &key, &process, flags);
	return code == -EEXIST ? 0 : code;
}

int task_tree__add_process(struct task_tree *tree, pid_t pid, bool at_exec)
{
	return put_process(tree, pid, at_exec ? TREE_AT_EXEC : TREE_WHOLE, BPF_ANY);
}

int task_tree__add_thread(struct task_tree *tree, pid_t pid, pid_t tid)
{
	struct task_stat stat;
	uint32_t key = tid;
	uint64_t start;
	int code = proc_stat__read(&stat, pid, tid);

	if (code)
		return code == -ENOENT ? -ESRCH : code;
	start = stat.start_ticks;
	code = bpf_map_update_elem(tree->filter.tids_fd, &key, &start, BPF_ANY);
	/* If an exec has added the whole process, it is not changed. */
	return code ? code : put_process(tree, pid, TREE_SOME_THREADS, BPF_NOEXIST);
}

void task_tree__remove(struct task_tree *tree, pid_t pid)
{
	uint32_t key = pid;

	bpf_map_delete_elem(tree->filter.pids_fd, &key);
}

bool task_tree__has(const struct task_tree *tree, pid_t pid)
{
	struct tree_process process;
	struct task_stat stat;
	uint32_t key = pid;

	if (bpf_map_lookup_elem(tree->filter.pids_fd, &key, &process))
		return false;
	/* A process that has ended stays in the table for a moment. */
	return proc_stat__read(&stat, pid, 0) || stat.start_ticks == process.start;
}

int task_tree__pids_fd(const struct task_tree *tree)
{
	return tree->filter.pids_fd;
}

const struct sample_tree *task_tree__filter(const struct task_tree *tree)
{
	return &tree->filter;
}

void task_tree__note(struct task_tree *tree, enum tree_noting which)
{
	tree->skel->bss->noting = which;
}

int task_tree__drain(struct task_tree *tree, task_tree_note_fn *fn, void *ctx)
{
	int n;

	tree->fn = fn;
	tree->ctx = ctx;
	tree->result = 0;
	n = bpf_ring__read(tree->notes, on_note, tree);
	return n < 0 ? n : tree->result;
}

void task_tree__losses(const struct task_tree *tree, struct task_tree_losses *ret)
{
	uint64_t sums[TREE_COUNTER_MAX];

	bpf_counters__sums(&tree->counters, sums, TREE_COUNTER_MAX);
	/* A skipped run of a program may have been for a fork. */
	ret->unfollowed = sums[TREE_UNFOLLOWED] + bpf_counters__recursion_misses(tree->skel->obj);
	ret->notes = sums[TREE_NOTES_LOST];
}
