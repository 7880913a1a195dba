// SPDX-License-Identifier: GPL-2.0-only
/* alive_processes: see process.h. */
#include "user/model/alive/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
	process_life__free(&process->life);
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

/*
 * Returns process @pid, which is added if a record of thread @tid is the first one. NULL: no
 * memory.
 */
static struct alive_process *get(struct alive_processes *processes, uint32_t pid, uint32_t tid)
{
	struct alive_process *process = find(processes, pid);

	if (process)
		return process;
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process_life__init(&process->life, pid, tid);
	process->leader.tid = pid;
	HASH_ADD(hh, processes->by_pid, life.pid, sizeof(pid), process);
	if (hash__added(process))
		return process;
	free(process);
	return NULL;
}

static struct alive_thread *find_thread(struct alive_process *process, uint32_t tid)
{
	struct alive_thread *thread;

	if (tid == process->life.pid)
		return &process->leader;
	HASH_FIND(hh, process->threads, &tid, sizeof(tid), thread);
	return thread;
}

/* Sets *@ret to the data about a thread, which may be new, or to NULL if threads are omitted. */
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

static void inherit_thread(struct alive_thread *child, const struct alive_thread *parent)
{
	memcpy(child->comm, parent->comm, sizeof(child->comm));
	drop_namespaces(child);
	child->namespaces = parent->namespaces;
	if (child->namespaces)
		child->namespaces->refs++;
}

static int fork_thread(
	struct alive_processes *processes, struct alive_process *process, const struct event *event)
{
	bool known = find_thread(process, event->tid);
	struct alive_thread *thread, *parent;
	int code = get_thread(processes, process, event->tid, &thread);

	if (code || !thread)
		return code;
	thread->ptid = event->fork.ptid;
	if (known && event->misc & PERF_RECORD_MISC_FORK_EXEC)
		return 0;
	parent = find_thread(process, event->fork.ptid);
	inherit_thread(thread, parent && parent != thread ? parent : &process->leader);
	return 0;
}

static void fork_process(const struct alive_processes *processes, struct alive_process *process,
	const struct event *event)
{
	bool existed = event->misc & PERF_RECORD_MISC_FORK_EXEC;
	struct alive_process *parent = existed ? NULL : find(processes, event->fork.ppid);
	struct alive_thread *thread;

	process->ppid = event->fork.ppid;
	process->leader.ptid = event->fork.ptid;
	if (!parent)
		return;
	thread = find_thread(parent, event->fork.ptid);
	inherit_thread(&process->leader, thread ? thread : &parent->leader);
	process->cgroup_id = parent->cgroup_id;
	process->mnt_ns = parent->mnt_ns;
	process->maps = maps__share(parent->maps);
}

int alive_processes__fork(struct alive_processes *processes, const struct event *event)
{
	struct alive_process *process = find(processes, event->pid);
	enum fork_result result = process_life__fork_result(process ? &process->life : NULL, event);
	int code;

	if (process && result == FORK_PROCESS)
		end(processes, process);
	process = get(processes, event->pid, event->tid);
	code = process ? process_life__fork(&process->life, event) : -ENOMEM;
	if (code)
		return code;
	if (result == FORK_THREAD)
		return fork_thread(processes, process, event);
	if (result == FORK_PROCESS)
		fork_process(processes, process, event);
	return 0;
}

int alive_processes__comm(struct alive_processes *processes, const struct event *event)
{
	struct alive_process *process = get(processes, event->pid, event->tid);
	struct alive_thread *thread;
	int code = process ? process_life__comm(&process->life, event) : -ENOMEM;

	if (code)
		return code;
	if (event->comm.exec) {
		maps__release(&process->maps, &processes->dsos.refs, 0);
		drop_threads(process);
	}
	code = get_thread(processes, process, event->tid, &thread);
	if (code || !thread)
		return code;
	memset(thread->comm, 0, sizeof(thread->comm));
	strncpy(thread->comm, event->comm.comm, sizeof(thread->comm) - 1);
	return 0;
}

/* Removes the data about threads that have ended. */
static void drop_ended(struct alive_process *process)
{
	struct alive_thread *thread, *next;

	HASH_ITER (hh, process->threads, thread, next)
		if (!process_life__has(&process->life, thread->tid))
			drop_thread(process, thread);
}

void alive_processes__exit(struct alive_processes *processes, const struct event *event)
{
	struct alive_process *process = find(processes, event->pid);
	enum process_fate fate = process ? process_life__exit(&process->life, event)
					 : PROCESS_UNTOUCHED;
	struct alive_thread *thread;

	if (fate == PROCESS_UNTOUCHED)
		return;
	thread = find_thread(process, event->tid);
	if (thread && thread != &process->leader)
		drop_thread(process, thread);
	if (fate == PROCESS_OVER)
		end(processes, process);
}

void alive_processes__check(struct alive_processes *processes, uint64_t since_ns)
{
	struct alive_process *process, *next;

	HASH_ITER (hh, processes->by_pid, process, next) {
		if (process_life__check(&process->life, since_ns) == PROCESS_OVER)
			end(processes, process);
		else
			drop_ended(process);
	}
}

int alive_processes__namespaces(struct alive_processes *processes, const struct event *event)
{
	size_t n = event->namespaces.n;
	struct alive_process *process;
	struct namespace_set *set;
	struct alive_thread *thread;
	int code;

	process = get(processes, event->pid, event->tid);
	code = process ? process_life__see(&process->life, event->tid, event__time(event))
		       : -ENOMEM;
	if (code || processes->no_namespaces || n > 64)
		return code;
	if (!code)
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

/* Whether @map is for anonymous memory that is no longer executable. */
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
	int code;

	/* Skip a delayed record: the process has since executed another program. */
	if (process && process_life__is_older(&process->life, event))
		return 0;
	/* Skip a late record of an unknown process: that process has ended. */
	if (!process && (is_unmapped(map) || map->flags & PERFSTAMP_MAP_LATE))
		return 0;
	process = get(processes, event->pid, event->pid);
	if (!process)
		return -ENOMEM;
	/* A late record shows that the mapping existed, but not which thread made it. */
	if (!(map->flags & PERFSTAMP_MAP_LATE))
		process_life__map(&process->life, event->tid, event__time(event));
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

size_t alive_processes__leave_out_threads(struct alive_processes *processes)
{
	struct alive_process *process;
	size_t n = 0;

	processes->no_threads = true;
	for (process = processes->by_pid; process; process = process->hh.next) {
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
		ret->bytes += sizeof(*process) + threads__memory(&process->life.others);
		/*
		 * Divide the memory of shared mappings and namespaces equally among the processes.
		 */
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
