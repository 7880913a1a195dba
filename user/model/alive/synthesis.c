// SPDX-License-Identifier: GPL-2.0-only
/*
 * Converts the existing processes to the events that the next file begins with: see process.h.
 * Changes nothing.
 */
#include "user/model/alive/process.h"

static struct event make_task_event(enum event_kind kind, uint32_t type,
	const struct alive_process *process, const struct alive_thread *thread)
{
	bool leader = thread->tid == process->life.pid;

	return (struct event){
		.kind = kind,
		.type = type,
		.pid = process->life.pid,
		.tid = thread->tid,
		.cpu = UINT32_MAX,
		.fork = {leader ? process->ppid : process->life.pid,
			leader ? thread->ptid : process->life.pid},
	};
}

static int synthesize_thread(const struct alive_process *process, const struct alive_thread *thread,
	alive_fn *fn, void *ctx)
{
	struct event event = make_task_event(EVENT_FORK, PERF_RECORD_FORK, process, thread);
	int code;

	/* perf marks threads that existed before the recording in this way. */
	event.misc = PERF_RECORD_MISC_FORK_EXEC;
	code = fn(ctx, &event);
	event.misc = 0;
	if (!code && thread->comm[0]) {
		event.kind = EVENT_COMM;
		event.type = PERF_RECORD_COMM;
		event.comm = (struct event_comm){.comm = thread->comm};
		code = fn(ctx, &event);
	}
	if (!code && thread->namespaces) {
		event.kind = EVENT_NAMESPACES;
		event.type = PERF_RECORD_NAMESPACES;
		event.namespaces = (struct event_namespaces){
			thread->namespaces->n, thread->namespaces->links};
		code = fn(ctx, &event);
	}
	return code;
}

/* Passes on FORK events for threads whose names are omitted. */
static int synthesize_unnamed(const struct alive_process *process, alive_fn *fn, void *ctx)
{
	const struct threads *others = &process->life.others;
	int code = 0;

	for (size_t i = 0; !code && i < others->room; i++) {
		const struct alive_thread thread = {.tid = others->v[i].tid};
		const struct alive_thread *named;

		if (!thread.tid)
			continue;
		HASH_FIND(hh, process->threads, &thread.tid, sizeof(thread.tid), named);
		if (!named)
			code = synthesize_thread(process, &thread, fn, ctx);
	}
	return code;
}

static int synthesize_mapping(const struct alive_processes *processes,
	const struct alive_process *process, const struct mapping *mapping, uint64_t now_ns,
	alive_fn *fn, void *ctx)
{
	struct event event = {
		.kind = EVENT_MAP,
		.type = PERF_RECORD_MMAP2,
		.misc = PERF_RECORD_MISC_USER,
		.time_ns = mapping->time_ns < now_ns ? mapping->time_ns : now_ns,
		.pid = process->life.pid,
		.tid = process->life.pid,
		.cpu = UINT32_MAX,
		.map =
			{
				.addr = mapping->start,
				.len = mapping->end - mapping->start,
				.pgoff = mapping->pgoff,
				.prot = mapping->prot,
				.map_flags = mapping->map_flags,
				.flags = dsos__flags(&processes->dsos, mapping->sighting) |
					 PERFSTAMP_MAP_SNAPSHOT,
				.executable = !mapping->data,
				.stamped = true,
				.identity = *dsos__identity(&processes->dsos, mapping->sighting),
				.path = dsos__path(&processes->dsos, mapping->sighting),
			},
	};

	event.map.identity.cgroup_id = process->cgroup_id;
	event.map.identity.mnt_ns = process->mnt_ns;
	return fn(ctx, &event);
}

static int synthesize_process(const struct alive_processes *processes,
	const struct alive_process *process, uint64_t now_ns, alive_fn *fn, void *ctx)
{
	const struct alive_thread *thread;
	struct event exit;
	int code = 0;

	/* If nothing is known about the leader, a record of it would wrongly show that it lives. */
	if (process->life.leader != LEADER_UNKNOWN)
		code = synthesize_thread(process, &process->leader, fn, ctx);
	for (thread = process->threads; !code && thread; thread = thread->hh.next)
		code = synthesize_thread(process, thread, fn, ctx);
	if (!code)
		code = synthesize_unnamed(process, fn, ctx);
	for (size_t i = 0; !code && process->maps && i < process->maps->n; i++)
		code = synthesize_mapping(
			processes, process, &process->maps->v[i], now_ns, fn, ctx);
	/* The EXIT of a leader has to follow all other events of its process. */
	exit = make_task_event(EVENT_EXIT, PERF_RECORD_EXIT, process, &process->leader);
	return code || process->life.leader != LEADER_EXITED ? code : fn(ctx, &exit);
}

int alive_processes__synthesize(
	const struct alive_processes *processes, uint64_t now_ns, alive_fn *fn, void *ctx)
{
	const struct alive_process *process;
	int code = 0;

	for (process = processes->by_pid; !code && process; process = process->hh.next)
		code = synthesize_process(processes, process, now_ns, fn, ctx);
	return code;
}
