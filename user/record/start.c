// SPDX-License-Identifier: GPL-2.0-only
/* See start.h. */
#include "user/record/start.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "user/parse/stat.h"
#include "user/source/bpf_symbols.h"
#include "user/source/clock.h"
#include "user/source/namespaces.h"
#include "user/source/proc_file.h"
#include "user/source/proc_kernel.h"
#include "user/source/proc_tasks.h"

/* The process of thread @tid. */
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

/* Calls @fn for each process that is recorded by number; one that is gone is left out. */
static int for_each_process(
	const struct evlist_options *events, int (*fn)(pid_t pid, void *ctx), void *ctx)
{
	size_t i;
	pid_t pid;
	int code = 0;

	for (i = 0; !code && i < events->n_pids; i++)
		code = fn(events->pids[i], ctx);
	for (i = 0; !code && i < events->n_tids; i++)
		if (!find_process(events->tids[i], &pid))
			code = fn(pid, ctx);
	return code;
}

static bool whole_machine(const struct evlist_options *events)
{
	return !events->n_pids && !events->n_tids && !events->workload;
}

static int follow(pid_t pid, void *bpf)
{
	return bpf_source__add_pid(bpf, pid);
}

int start__follow(struct bpf_source *bpf, const struct evlist_options *events, struct error *err)
{
	int code;

	code = for_each_process(events, follow, bpf);
	if (!code && events->workload)
		code = bpf_source__add_pid(bpf, events->workload);
	if (code)
		return error__errno(err, code, "cannot choose the processes to record");
	return 0;
}

struct snapshot {
	struct bpf_source *bpf;
	struct map_writer *maps;
	struct error *err;
	uint64_t read_ns; /* CLOCK_MONOTONIC; just before a process' mappings are read from /proc */
};

static int snapshot_process(pid_t pid, void *ctx)
{
	struct snapshot *snapshot = ctx;

	return bpf_source__snapshot(
		snapshot->bpf, pid, map_writer__record, snapshot->maps, snapshot->err);
}

static int write_event(void *ctx, const struct event *event)
{
	struct event copy = *event;

	return map_writer__event(ctx, &copy);
}

int start__kernel(struct map_writer *maps, void (*note)(const char *text, void *ctx), void *ctx,
	struct error *err)
{
	struct proc_kernel_counts counts = {0};
	int code;

	code = proc_kernel__synthesize("", write_event, maps, &counts, err);
	if (code)
		return code;
	/* Without the privilege they stay unnamed, as in perf. */
	code = bpf_symbols__synthesize(write_event, maps);
	if (code && code != -EPERM)
		return error__errno(err, code, "loaded BPF programs");
	if (counts.hidden && note)
		note("the kernel's addresses are hidden (kernel.kptr_restrict, or no CAP_SYSLOG): "
		     "samples in the kernel will have no symbols",
			ctx);
	return 0;
}

/* Left to map_writer__event, which completes what has no identity. */
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

struct pids {
	pid_t *pids;
	size_t n;
};

static int add_pid(pid_t pid, void *ctx)
{
	struct pids *list = ctx;

	list->pids[list->n++] = pid;
	return 0;
}

static int write_task_event(void *ctx, const struct event *event)
{
	struct snapshot *snapshot = ctx;
	struct event map;

	if (snapshot->maps->starting)
		return write_event(snapshot->maps, event);
	/*
	 * perf drops what it knows of a thread that is forked again. A process'
	 * threads come just before its mappings are read: what is mapped after
	 * this moment has a record of its own, with a later time.
	 */
	if (event->kind != EVENT_MAP) {
		snapshot->read_ns = clock__now(CLOCK_MONOTONIC);
		return 0;
	}
	if (snapshot->bpf && !bpf_source__records(snapshot->bpf, event->pid))
		return 0;
	/* Not 0: perf would apply it to the samples before this that it has not sorted yet. */
	map = *event;
	map.time_ns = clock_conversion__from_monotonic(snapshot->maps->clock, snapshot->read_ns);
	return map_writer__event(snapshot->maps, &map);
}

/* The processes that are recorded by number; .pids is the caller's to free. 0 or -ENOMEM. */
static int list_pids(struct pids *ret, const struct evlist_options *events, struct error *err)
{
	ret->n = 0;
	ret->pids = calloc(events->n_pids + events->n_tids + 1, sizeof(*ret->pids));
	if (!ret->pids)
		return error__set(err, -ENOMEM, "out of memory");
	return for_each_process(events, add_pid, ret);
}

/* From /proc, for kernels without an iterator over mappings, or without BPF. */
static int snapshot_tasks(struct snapshot *snapshot, const struct evlist_options *events)
{
	bool all = whole_machine(events) || !snapshot->maps->starting;
	struct proc_tasks_counts counts;
	struct pids list = {0};
	int code = 0;

	if (!all)
		code = list_pids(&list, events, snapshot->err);
	if (!code && (list.n || all))
		code = proc_tasks__synthesize(list.pids, list.n, write_task_event, no_identity,
			snapshot, &counts, snapshot->err);
	free(list.pids);
	return code;
}

int start__snapshot(struct bpf_source *bpf, const struct evlist_options *events,
	struct map_writer *maps, struct error *err)
{
	struct snapshot snapshot = {.bpf = bpf, .maps = maps, .err = err};

	if (!bpf || !bpf_source__has_snapshot(bpf))
		return snapshot_tasks(&snapshot, events);
	/*
	 * While it starts, a workload has not been executed yet. Later the children
	 * of whatever is followed are to be found, too.
	 */
	if (whole_machine(events) || !maps->starting)
		return snapshot_process(0, &snapshot);
	return for_each_process(events, snapshot_process, &snapshot);
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
	/* Its fork was before the events: unlike its children's, nothing tells of it. */
	if (!code && events->workload)
		add_pid(events->workload, &list);
	if (!code && (list.n || whole_machine(events)))
		code = namespaces__synthesize(list.pids, list.n, write_event, maps, err);
	free(list.pids);
	return code;
}
