// SPDX-License-Identifier: GPL-2.0-only
/*
 * alive_processes: see process.h.
 *
 * What model/process.c says of EXIT records that were lost, and of leaders that exit
 * before their threads, holds here, too.
 */
#include "user/model/alive/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct namespace_set {
	size_t refs;
	size_t n;
	struct perf_ns_link_info links[];
};

void alive_processes__init(struct alive_processes *processes)
{
	memset(processes, 0, sizeof(*processes));
	dsos__init(&processes->dsos);
}

static void drop_namespaces(struct alive_thread *thread)
{
	if (thread->namespaces && !--thread->namespaces->refs)
		free(thread->namespaces);
	thread->namespaces = NULL;
}

static void drop_thread(struct alive_process *process, struct alive_thread *thread)
{
	HASH_DEL(process->threads, thread);
	drop_namespaces(thread);
	free(thread);
}

static void drop_threads(struct alive_process *process)
{
	struct alive_thread *thread, *next;

	HASH_ITER (hh, process->threads, thread, next)
		drop_thread(process, thread);
}

static void end(struct alive_processes *processes, struct alive_process *process)
{
	HASH_DEL(processes->by_pid, process);
	drop_threads(process);
	drop_namespaces(&process->leader);
	maps__release(&process->maps, &processes->dsos.refs, 0);
	free(process);
}

void alive_processes__free(struct alive_processes *processes)
{
	struct alive_process *process, *next;

	HASH_ITER (hh, processes->by_pid, process, next)
		end(processes, process);
	dsos__free(&processes->dsos);
}

static struct alive_process *find(const struct alive_processes *processes, uint32_t pid)
{
	struct alive_process *process;

	HASH_FIND(hh, processes->by_pid, &pid, sizeof(pid), process);
	return process;
}

static struct alive_process *get(struct alive_processes *processes, uint32_t pid)
{
	struct alive_process *process = find(processes, pid);

	if (process)
		return process;
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = process->leader.tid = pid;
	HASH_ADD(hh, processes->by_pid, pid, sizeof(pid), process);
	if (hash__added(process))
		return process;
	free(process);
	return NULL;
}

/*
 * The process of an event of thread @tid. If this is the first that is known of the process,
 * and @tid is not its leader, the leader may have ended: no later event would show that.
 */
static struct alive_process *get_of_thread(
	struct alive_processes *processes, uint32_t pid, uint32_t tid)
{
	struct alive_process *process = find(processes, pid);
	bool known = process;

	process = known ? process : get(processes, pid);
	if (process && !known)
		process->leader_exited = tid != pid;
	return process;
}

static struct alive_thread *find_thread(struct alive_process *process, uint32_t tid)
{
	struct alive_thread *thread;

	if (tid == process->pid)
		return &process->leader;
	HASH_FIND(hh, process->threads, &tid, sizeof(tid), thread);
	return thread;
}

/* Adds the thread if it is not known. *@ret is NULL if threads are omitted. */
static int get_thread(struct alive_processes *processes, struct alive_process *process,
	uint32_t tid, struct alive_thread **ret)
{
	struct alive_thread *thread = find_thread(process, tid);

	*ret = thread;
	if (thread || processes->no_threads)
		return 0;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return -ENOMEM;
	thread->tid = tid;
	HASH_ADD(hh, process->threads, tid, sizeof(tid), thread);
	if (!hash__added(thread)) {
		free(thread);
		return -ENOMEM;
	}
	*ret = thread;
	return 0;
}

/*
 * Marks that the thread was seen, but not the other threads of its process: if several end
 * together, the EXIT of one can be lost while the next still runs. Events from before the
 * check began prove nothing either.
 */
static void check_thread(const struct alive_processes *processes, struct alive_thread *thread)
{
	if (!processes->is_old)
		thread->check = processes->check;
}

static void check_unnamed(const struct alive_processes *processes, struct alive_process *process)
{
	if (processes->is_old)
		return;
	if (process->unnamed_check != processes->check)
		process->n_unnamed_seen = 0;
	process->unnamed_check = processes->check;
	process->n_unnamed_seen++;
}

static void exit_unnamed(const struct alive_processes *processes, struct alive_process *process)
{
	process->n_unnamed--;
	if (process->unnamed_check == processes->check && process->n_unnamed_seen &&
		!processes->is_old)
		process->n_unnamed_seen--;
}

static void inherit_thread(struct alive_thread *child, const struct alive_thread *parent)
{
	memcpy(child->comm, parent->comm, sizeof(child->comm));
	drop_namespaces(child);
	child->namespaces = parent->namespaces;
	if (child->namespaces)
		child->namespaces->refs++;
}

static int fork_thread(struct alive_processes *processes, const struct event *event)
{
	struct alive_process *process = get_of_thread(processes, event->pid, event->tid);
	struct alive_thread *thread, *parent;
	bool known;
	int code;

	if (!process)
		return -ENOMEM;
	known = find_thread(process, event->tid);
	code = get_thread(processes, process, event->tid, &thread);
	if (code)
		return code;
	if (!thread) {
		process->n_unnamed += !(event->misc & PERF_RECORD_MISC_FORK_EXEC);
		check_unnamed(processes, process);
		return 0;
	}
	check_thread(processes, thread);
	thread->ptid = event->fork.ptid;
	if (known && event->misc & PERF_RECORD_MISC_FORK_EXEC)
		return 0;
	parent = find_thread(process, event->fork.ptid);
	inherit_thread(thread, parent && parent != thread ? parent : &process->leader);
	return 0;
}

int alive_processes__fork(struct alive_processes *processes, const struct event *event)
{
	bool existed = event->misc & PERF_RECORD_MISC_FORK_EXEC;
	struct alive_process *process = find(processes, event->pid), *parent;
	struct alive_thread *thread;

	if (event->pid == event->fork.ppid || event->tid != event->pid)
		return fork_thread(processes, event);
	if (process && existed) {
		process->leader_exited = false;
		check_thread(processes, &process->leader);
		return 0;
	}
	if (process)
		end(processes, process);
	process = get(processes, event->pid);
	if (!process)
		return -ENOMEM;
	check_thread(processes, &process->leader);
	process->ppid = event->fork.ppid;
	process->leader.ptid = event->fork.ptid;
	process->begin_ns = event->time_ns;
	parent = existed ? NULL : find(processes, event->fork.ppid);
	if (!parent)
		return 0;
	thread = find_thread(parent, event->fork.ptid);
	inherit_thread(&process->leader, thread ? thread : &parent->leader);
	process->cgroup_id = parent->cgroup_id;
	process->mnt_ns = parent->mnt_ns;
	process->maps = maps__share(parent->maps);
	return 0;
}

int alive_processes__comm(struct alive_processes *processes, const struct event *event)
{
	struct alive_process *process = get_of_thread(processes, event->pid, event->tid);
	struct alive_thread *thread;
	int code;

	if (!process)
		return -ENOMEM;
	if (event->comm.exec) { /* the other threads are gone, and the one left is the leader */
		maps__release(&process->maps, &processes->dsos.refs, 0);
		drop_threads(process);
		process->n_unnamed = 0;
		process->leader_exited = false;
		process->begin_ns = event->time_ns;
	}
	if (event->tid == event->pid)
		process->leader_exited = false;
	code = get_thread(processes, process, event->tid, &thread);
	if (code)
		return code;
	if (!thread) {
		check_unnamed(processes, process);
		return 0;
	}
	check_thread(processes, thread);
	memset(thread->comm, 0, sizeof(thread->comm));
	strncpy(thread->comm, event->comm.comm, sizeof(thread->comm) - 1);
	return 0;
}

static bool is_over(const struct alive_process *process)
{
	return process->leader_exited && !process->threads && !process->n_unnamed;
}

void alive_processes__exit(struct alive_processes *processes, const struct event *event)
{
	struct alive_process *process = find(processes, event->pid);
	struct alive_thread *thread;

	/* The EXIT of an earlier process with this pid. */
	if (!process || (event->time_ns && event->time_ns < process->begin_ns))
		return;
	thread = find_thread(process, event->tid);
	if (thread == &process->leader)
		process->leader_exited = true;
	else if (thread)
		drop_thread(process, thread);
	else if (process->n_unnamed)
		exit_unnamed(processes, process);
	if (is_over(process))
		end(processes, process);
}

int alive_processes__namespaces(struct alive_processes *processes, const struct event *event)
{
	size_t n = event->namespaces.n;
	struct alive_process *process;
	struct namespace_set *set;
	struct alive_thread *thread;
	int code;

	if (processes->no_namespaces || n > 64)
		return 0;
	process = get(processes, event->pid);
	if (!process)
		return -ENOMEM;
	code = get_thread(processes, process, event->tid, &thread);
	if (code || !thread)
		return code;
	set = malloc(sizeof(*set) + n * sizeof(*set->links));
	if (!set)
		return -ENOMEM;
	set->refs = 1;
	set->n = n;
	memcpy(set->links, event->namespaces.links, n * sizeof(*set->links));
	drop_namespaces(thread);
	thread->namespaces = set;
	return 0;
}

/* Anonymous memory that is no longer executable. */
static bool is_unmapped(const struct event_map *map)
{
	return !map->executable && map->path[0] != '/' && map->path[0] != '[';
}

/* Whether @known already covers @map, which was recorded later, with the same content. */
static bool is_known(const struct mapping *known, const struct mapping *map)
{
	return known && known->sighting == map->sighting && map->start >= known->start &&
	       map->end <= known->end && known->prot == map->prot &&
	       known->pgoff - known->start == map->pgoff - map->start;
}

int alive_processes__map(struct alive_processes *processes, const struct event *event)
{
	const struct event_map *map = &event->map;
	uint16_t flags = map->flags & (PERFSTAMP_MAP_DELETED | PERFSTAMP_MAP_PATH_CUT);
	struct alive_process *process = find(processes, event->pid);
	const struct map_refs *refs = &processes->dsos.refs;
	uint64_t end = map->addr + map->len;
	struct mapping mapping = {
		.start = map->addr,
		.end = end < map->addr ? UINT64_MAX : end,
		.pgoff = map->pgoff,
		.prot = map->prot,
		.map_flags = map->map_flags,
		.data = !map->executable,
		.time_ns = event->time_ns,
	};
	const struct mapping *known;
	struct alive_thread *thread;
	int code;

	/* A delayed record: the process has since executed another program. */
	if (process && event->time_ns && event->time_ns < process->begin_ns)
		return 0;
	if (!process && is_unmapped(map))
		return 0;
	thread = process ? find_thread(process, event->tid) : NULL;
	if (!process) {
		process = get(processes, event->pid);
		thread = process ? &process->leader : NULL;
	}
	if (!process)
		return -ENOMEM;
	/* A late record shows that the mapping existed, not which thread had made it. */
	if (thread && !(map->flags & PERFSTAMP_MAP_LATE))
		check_thread(processes, thread);
	if (map->identity.cgroup_id)
		process->cgroup_id = map->identity.cgroup_id;
	if (map->identity.mnt_ns)
		process->mnt_ns = map->identity.mnt_ns;
	if (is_unmapped(map))
		return maps__remove(&process->maps, mapping.start, mapping.end, refs, 0);
	code = dsos__get(&processes->dsos, map->path, flags, &map->identity, &mapping.sighting);
	if (code)
		return code;
	known = maps__find(process->maps, mapping.start);
	if (known && map->flags & PERFSTAMP_MAP_LATE && known->start == mapping.start &&
		known->end == mapping.end)
		mapping.time_ns = known->time_ns;
	if (!is_known(known, &mapping))
		code = maps__insert(&process->maps, &mapping, refs, 0);
	dsos__tidy(&processes->dsos, mapping.sighting);
	return code;
}

static int synthesize_thread(const struct alive_process *process, const struct alive_thread *thread,
	alive_fn *fn, void *ctx)
{
	bool leader = thread == &process->leader;
	struct event event = {
		.kind = EVENT_FORK,
		.type = PERF_RECORD_FORK,
		.misc = PERF_RECORD_MISC_FORK_EXEC, /* as perf marks what was there before */
		.pid = process->pid,
		.tid = thread->tid,
		.cpu = UINT32_MAX,
		.fork = {leader ? process->ppid : process->pid,
			leader ? thread->ptid : process->pid},
	};
	int code = fn(ctx, &event);

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

static int synthesize_mapping(const struct alive_processes *processes,
	const struct alive_process *process, const struct mapping *mapping, uint64_t now_ns,
	alive_fn *fn, void *ctx)
{
	struct event event = {
		.kind = EVENT_MAP,
		.type = PERF_RECORD_MMAP2,
		.misc = PERF_RECORD_MISC_USER,
		.time_ns = mapping->time_ns < now_ns ? mapping->time_ns : now_ns,
		.pid = process->pid,
		.tid = process->pid,
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

int alive_processes__synthesize(
	const struct alive_processes *processes, uint64_t now_ns, alive_fn *fn, void *ctx)
{
	const struct alive_process *process;
	const struct alive_thread *thread;
	int code = 0;

	for (process = processes->by_pid; !code && process; process = process->hh.next) {
		code = synthesize_thread(process, &process->leader, fn, ctx);
		for (thread = process->threads; !code && thread; thread = thread->hh.next)
			code = synthesize_thread(process, thread, fn, ctx);
		for (size_t i = 0; !code && process->maps && i < process->maps->n; i++)
			code = synthesize_mapping(
				processes, process, &process->maps->v[i], now_ns, fn, ctx);
	}
	return code;
}

size_t alive_processes__end_unchecked(struct alive_processes *processes)
{
	struct alive_process *process, *next;
	struct alive_thread *thread, *next_thread;
	size_t n = 0;

	HASH_ITER (hh, processes->by_pid, process, next) {
		size_t n_seen = process->unnamed_check == processes->check ? process->n_unnamed_seen
									   : 0;

		HASH_ITER (hh, process->threads, thread, next_thread)
			if (thread->check != processes->check)
				drop_thread(process, thread);
		/* An upper bound: threads that renamed themselves are counted twice. */
		if (process->n_unnamed > n_seen)
			process->n_unnamed = n_seen;
		if (process->leader.check != processes->check)
			process->leader_exited = true;
		if (!is_over(process))
			continue;
		end(processes, process);
		n++;
	}
	return n;
}

size_t alive_processes__leave_out_threads(struct alive_processes *processes)
{
	struct alive_process *process, *next;
	const struct alive_thread *thread;
	size_t n = 0;

	processes->no_threads = true;
	HASH_ITER (hh, processes->by_pid, process, next) {
		process->n_unnamed += HASH_COUNT(process->threads);
		process->unnamed_check = processes->check;
		for (thread = process->threads; thread; thread = thread->hh.next)
			process->n_unnamed_seen += thread->check == processes->check;
		n += HASH_COUNT(process->threads);
		drop_threads(process);
	}
	return n;
}

size_t alive_processes__leave_out_namespaces(struct alive_processes *processes)
{
	struct alive_process *process;
	struct alive_thread *thread;
	size_t n = 0;

	processes->no_namespaces = true;
	for (process = processes->by_pid; process; process = process->hh.next) {
		n += process->leader.namespaces != NULL;
		drop_namespaces(&process->leader);
		for (thread = process->threads; thread; thread = thread->hh.next) {
			n += thread->namespaces != NULL;
			drop_namespaces(thread);
		}
	}
	return n;
}

void alive_processes__count(const struct alive_processes *processes, struct alive_counts *ret)
{
	const struct alive_process *process;

	for (process = processes->by_pid; process; process = process->hh.next) {
		const struct maps *maps = process->maps;
		const struct namespace_set *namespaces = process->leader.namespaces;

		ret->processes++;
		ret->threads += HASH_COUNT(process->threads);
		ret->bytes += sizeof(*process);
		/* Processes that share mappings or namespaces count an equal part each. */
		if (maps) {
			ret->mappings += maps->n;
			ret->bytes += (sizeof(*maps) + maps->room * sizeof(*maps->v)) / maps->refs;
		}
		if (namespaces)
			ret->bytes += (sizeof(*namespaces) +
					      namespaces->n * sizeof(*namespaces->links)) /
				      namespaces->refs;
	}
	ret->dsos = processes->dsos.n_alive;
	ret->bytes += ret->threads * sizeof(struct alive_thread) + processes->dsos.bytes +
		      processes->dsos.room * sizeof(*processes->dsos.v);
}
