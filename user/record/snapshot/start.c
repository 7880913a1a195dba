// SPDX-License-Identifier: GPL-2.0-only
/* See start.h. */
#include "user/record/snapshot/start.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "user/base/array.h"
#include "user/parse/stat.h"
#include "user/source/bpf/symbols.h"
#include "user/source/machine/clock.h"
#include "user/source/containers/namespaces.h"
#include "user/source/proc/children.h"
#include "user/source/proc/file.h"
#include "user/source/kernel/proc_kernel.h"
#include "user/source/proc/tasks.h"

/* Finds the process of thread @tid. */
static int find_process(pid_t tid, pid_t *ret)
{
	uint64_t tgid;
	char *status;
	int code;

	code = proc_file__read(&status, NULL, "/proc/%d/status", tid);
	if (code)
		return code;
	code = task_status__number(&tgid, status, "Tgid");
	free(status);
	*ret = tgid;
	return code;
}

struct pids {
	pid_t *pids;
	size_t n;
};

static bool has_pid(const struct pids *list, pid_t pid)
{
	size_t i;

	for (i = 0; i < list->n && list->pids[i] != pid; i++)
		;
	return i < list->n;
}

/*
 * Lists the processes that are recorded by pid, each once; skips ended ones. The caller
 * frees .pids, which has room for one more. Returns 0 or -ENOMEM.
 */
static int list_pids(struct pids *ret, const struct evlist_options *events, struct error *err)
{
	size_t i;
	pid_t pid;

	ret->n = 0;
	ret->pids = calloc(events->n_pids + events->n_tids + 1, sizeof(*ret->pids));
	if (!ret->pids)
		return error__set(err, -ENOMEM, "out of memory");
	for (i = 0; i < events->n_pids; i++)
		if (!has_pid(ret, events->pids[i]))
			ret->pids[ret->n++] = events->pids[i];
	for (i = 0; i < events->n_tids; i++)
		if (!find_process(events->tids[i], &pid) && !has_pid(ret, pid))
			ret->pids[ret->n++] = pid;
	return 0;
}

static bool whole_machine(const struct evlist_options *events)
{
	return !events->n_pids && !events->n_tids && !events->workload;
}

/* If a process has ended, opening the events reports that. */
static int follow_one(struct task_tree *tree, pid_t pid, pid_t tid)
{
	int code = tid ? task_tree__add_thread(tree, pid, tid)
		       : task_tree__add_process(tree, pid, false);

	return code == -ESRCH ? 0 : code;
}

int start__follow(struct task_tree *tree, const struct evlist_options *events, struct error *err)
{
	size_t i;
	pid_t pid;
	int code = 0;

	for (i = 0; !code && i < events->n_pids; i++)
		code = follow_one(tree, events->pids[i], 0);
	for (i = 0; !code && i < events->n_tids; i++)
		if (!find_process(events->tids[i], &pid))
			code = follow_one(tree, pid, events->tids[i]);
	if (!code && events->workload)
		code = task_tree__add_process(tree, events->workload, !events->not_on_exec);
	return code ? error__errno(err, code, "cannot select the processes to record") : 0;
}

struct following {
	struct task_tree *tree;
	size_t n;
};

static bool is_followed(void *ctx, pid_t pid)
{
	const struct following *following = ctx;

	return task_tree__has(following->tree, pid);
}

static int follow_child(void *ctx, pid_t pid)
{
	struct following *following = ctx;
	int code = task_tree__add_process(following->tree, pid, false);

	if (code == -ESRCH)
		return 0;
	following->n += !code;
	return code;
}

int start__follow_children(struct task_tree *tree, size_t *ret_n, struct error *err)
{
	struct following following = {.tree = tree};
	int code = proc_children__add(is_followed, follow_child, &following, err);

	*ret_n = following.n;
	if (code == -E2BIG)
		return 1;
	return code ? error__errno(err, code, "children of the recorded processes") : 0;
}

int start__remember(struct tail **ret, const struct evlist_options *events, struct error *err)
{
	struct pids list = {0};
	int code = whole_machine(events) ? 0 : list_pids(&list, events, err);

	*ret = NULL;
	if (!code && (list.n || whole_machine(events)))
		code = tail__new(ret, list.pids, list.n, err);
	free(list.pids);
	return code;
}

struct snapshot {
	const struct task_tree *tree; /* NULL: all processes are recorded, or there is no tree */
	struct map_writer *maps;
	struct error *err;
	/* CLOCK_MONOTONIC; just before the mappings of a process are read from /proc */
	uint64_t read_ns;
};

static int write_event(void *ctx, const struct event *event)
{
	struct event copy = *event;

	return map_writer__event(ctx, &copy);
}

static int write_kernel_event(void *ctx, const struct event *event)
{
	struct module_writer *modules = ctx;

	return event->kind == EVENT_MODULE ? module_writer__found(modules, event)
					   : write_event(module_writer__maps(modules), event);
}

struct programs {
	struct map_writer *maps;
	struct bpf_record *record;
	struct error *err;
};

static int write_program_event(void *ctx, const struct event *event)
{
	struct programs *programs = ctx;
	int code = 0;

	if (event->kind == EVENT_BPF) {
		if (!programs->record)
			return 0;
		code = bpf_record__program(programs->record, event->bpf.id, programs->err);
	}
	return code ? code : write_event(programs->maps, event);
}

int start__kernel(struct map_writer *maps, struct module_writer *modules, struct bpf_record *record,
	void (*note)(const char *text, void *ctx), void *ctx, struct error *err)
{
	struct programs programs = {maps, record, err};
	struct proc_kernel_counts counts = {0};
	int code;

	module_writer__begin(modules);
	code = proc_kernel__synthesize(
		"", module_writer__read, write_kernel_event, modules, &counts, err);
	if (code)
		return code;
	/*
	 * Without the privilege, programs have no names, as in perf. Without CONFIG_BPF_SYSCALL
	 * there are none.
	 */
	code = bpf_symbols__synthesize(write_program_event, &programs);
	if (code < 0 && code != -EPERM && code != -ENOSYS)
		return error__errno(err, code, "loaded BPF programs");
	code = record ? bpf_record__flush(record, err) : 0;
	if (code)
		return code;
	if (counts.hidden && note)
		note("the kernel's addresses are hidden (kernel.kptr_restrict, or no CAP_SYSLOG): "
		     "samples in the kernel will have no symbols",
			ctx);
	return 0;
}

int start__symbols(
	struct kernel_symbols **symbols, bool wait, struct map_writer *maps, struct error *err)
{
	int code;

	if (!*symbols)
		return 0;
	code = kernel_symbols__synthesize(*symbols, wait, write_event, maps);
	if (!code)
		return 0;
	kernel_symbols__free(*symbols);
	*symbols = NULL;
	return code > 0 ? 0 : error__errno(err, code, "/proc/kallsyms");
}

/* map_writer__event completes missing identities. */
static int no_identity(
	void *ctx, pid_t pid, uint64_t addr, uint64_t len, struct perfstamp_identity *identity)
{
	(void)ctx;
	(void)pid;
	(void)addr;
	(void)len;
	(void)identity;
	return -ENODATA;
}

static int write_task_event(void *ctx, const struct event *event)
{
	struct snapshot *snapshot = ctx;
	struct event copy;

	if (map_writer__phase(snapshot->maps) == MAP_WRITER_STARTING)
		return write_event(snapshot->maps, event);
	/*
	 * perf drops what it knows about a thread that forks again. So the threads of a process are
	 * written just before its mappings are read. A mapping made after that has a record of its
	 * own, with a later time.
	 */
	if (event->kind != EVENT_MAP)
		snapshot->read_ns = clock__now(CLOCK_MONOTONIC);
	if (event->kind == EVENT_FORK ||
		(event->kind == EVENT_COMM &&
			map_writer__phase(snapshot->maps) != MAP_WRITER_HEALING_TASKS))
		return 0;
	if (snapshot->tree && !task_tree__has(snapshot->tree, event->pid))
		return 0;
	/*
	 * The time must not be 0, because perf would apply it to earlier samples that it has not
	 * sorted yet.
	 */
	copy = *event;
	copy.time_ns = map_writer__time(snapshot->maps, snapshot->read_ns);
	return map_writer__event(snapshot->maps, &copy);
}

struct descendants {
	struct pids list;
	size_t room;
};

static bool is_listed(void *ctx, pid_t pid)
{
	struct descendants *descendants = ctx;

	return has_pid(&descendants->list, pid);
}

static int list_child(void *ctx, pid_t pid)
{
	struct descendants *descendants = ctx;
	struct pids *list = &descendants->list;

	if (array__reserve(&list->pids, &descendants->room, list->n + 1, sizeof(*list->pids)))
		return -ENOMEM;
	list->pids[list->n++] = pid;
	return 0;
}

/* Lists the processes that are recorded by pid or as the workload, and their existing children. */
static int list_descendants(
	struct pids *ret, const struct evlist_options *events, struct error *err)
{
	struct descendants descendants = {.room = events->n_pids + events->n_tids + 1};
	int code;

	code = list_pids(&descendants.list, events, err);
	if (code)
		return code;
	if (events->workload)
		descendants.list.pids[descendants.list.n++] = events->workload;
	code = proc_children__add(is_listed, list_child, &descendants, err);
	*ret = descendants.list;
	return code ? error__errno(err, code, "children of the recorded processes") : 0;
}

/* Reads /proc, for kernels without an iterator over mappings, or without BPF. */
static int snapshot_tasks(struct snapshot *snapshot, const struct evlist_options *events)
{
	bool all = whole_machine(events) ||
		   (snapshot->tree && map_writer__phase(snapshot->maps) != MAP_WRITER_STARTING);
	struct proc_tasks_counts counts;
	struct pids list = {0};
	int code = 0;

	/* With BPF, all processes are read and filtered, because BPF knows the followed ones. */
	if (!all)
		code = map_writer__phase(snapshot->maps) == MAP_WRITER_STARTING
			       ? list_pids(&list, events, snapshot->err)
			       : list_descendants(&list, events, snapshot->err);
	if (!code && (list.n || all))
		code = proc_tasks__synthesize(list.pids, list.n, write_task_event, no_identity,
			snapshot, &counts, snapshot->err);
	free(list.pids);
	return code;
}

int start__snapshot(struct bpf_source *bpf, const struct task_tree *tree,
	const struct evlist_options *events, struct map_writer *maps, struct error *err)
{
	struct snapshot snapshot = {.tree = tree, .maps = maps, .err = err};
	struct pids list = {0};
	size_t i;
	int code;

	if (!bpf || !bpf_source__has_snapshot(bpf))
		return snapshot_tasks(&snapshot, events);
	/*
	 * At startup, a workload has not been executed yet. Later, children of followed
	 * processes are searched as well.
	 */
	if (whole_machine(events) || map_writer__phase(maps) != MAP_WRITER_STARTING)
		return bpf_source__snapshot(bpf, 0, map_writer__record, maps, err);
	code = list_pids(&list, events, err);
	for (i = 0; !code && i < list.n; i++)
		code = bpf_source__snapshot(bpf, list.pids[i], map_writer__record, maps, err);
	free(list.pids);
	return code;
}

int start__data_maps(
	const struct evlist_options *events, struct map_writer *maps, struct error *err)
{
	struct pids list = {0};
	int code = 0;

	if (!whole_machine(events))
		code = list_pids(&list, events, err);
	if (!code && (list.n || whole_machine(events)))
		code = proc_tasks__data_maps(list.pids, list.n, write_event, maps, err);
	free(list.pids);
	return code;
}

int start__namespaces(
	const struct evlist_options *events, struct map_writer *maps, struct error *err)
{
	struct pids list = {0};
	int code = 0;

	if (!whole_machine(events))
		code = list_pids(&list, events, err);
	/*
	 * The workload's fork was before the events. Unlike the forks of its children, nothing
	 * reports it.
	 */
	if (!code && events->workload)
		list.pids[list.n++] = events->workload;
	if (!code && (list.n || whole_machine(events)))
		code = namespaces__synthesize(list.pids, list.n, write_event, maps, err);
	free(list.pids);
	return code;
}

int start__waiting(const struct evlist_options *events, struct map_writer *maps, struct error *err)
{
	const struct event event = {
		.type = PERF_RECORD_SWITCH,
		.misc = PERF_RECORD_MISC_SWITCH_OUT,
		.pid = events->workload,
		.tid = events->workload,
		.cpu = UINT32_MAX,
	};
	int code;

	if (!events->workload || !events->extra.switch_events)
		return 0;
	code = write_event(maps, &event);
	return code ? error__errno(err, code, "cannot write that the command waits") : 0;
}
