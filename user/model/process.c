// SPDX-License-Identifier: GPL-2.0-only
/*
 * processes: see process.h.
 *
 * A child inherits all mappings, but most children call exec at once. So a child is counted for its
 * inherited mappings only when it maps something, is sampled in one of them, or exits without exec.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/process.h"

int processes__settle(struct processes *processes, struct process *process)
{
	if (!process->heir)
		return 0;
	for (size_t i = 0; process->maps && i < process->maps->n; i++)
		if (sightings__add_pid(
			    processes->sightings, process->maps->v[i].sighting, process->life.pid))
			return -ENOMEM;
	process->heir = false;
	processes->n_heirs--;
	return 0;
}

int processes__settle_all(struct processes *processes)
{
	struct process *process;

	for (process = processes->by_pid; process && processes->n_heirs; process = process->hh.next)
		if (processes__settle(processes, process))
			return -ENOMEM;
	return 0;
}

static void drop(struct processes *processes, struct process *process, uint64_t now_ns)
{
	HASH_DEL(processes->by_pid, process);
	processes->n_heirs -= process->heir;
	process_life__free(&process->life);
	maps__release(&process->maps, &processes->sightings->refs, now_ns);
	free(process);
}

static int end(struct processes *processes, struct process *process, uint64_t now_ns)
{
	int err = processes__settle(processes, process);

	drop(processes, process, now_ns);
	return err;
}

struct process *processes__find(const struct processes *processes, uint32_t pid)
{
	struct process *process;

	HASH_FIND(hh, processes->by_pid, &pid, sizeof(pid), process);
	return process;
}

struct process *processes__get(struct processes *processes, uint32_t pid, uint32_t tid)
{
	struct process *process = processes__find(processes, pid);

	if (process)
		return process;
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process_life__init(&process->life, pid, tid);
	HASH_ADD(hh, processes->by_pid, life.pid, sizeof(pid), process);
	if (hash__added(process))
		return process;
	free(process);
	return NULL;
}

static void inherit(
	struct processes *processes, struct process *child, const struct process *parent)
{
	memcpy(child->comm, parent->comm, sizeof(child->comm));
	child->cgroup_id = parent->cgroup_id;
	child->mnt_ns = parent->mnt_ns;
	child->maps = maps__share(parent->maps);
	child->heir = true;
	processes->n_heirs++;
}

int processes__fork(struct processes *processes, const struct event *event, uint64_t now_ns)
{
	struct process *process = processes__find(processes, event->pid);
	enum fork_result result = process_life__fork_result(process ? &process->life : NULL, event);
	const struct process *parent;
	int err;

	if (process && result == FORK_PROCESS) {
		err = end(processes, process, now_ns);
		if (err)
			return err;
	}
	process = processes__get(processes, event->pid, event->tid);
	err = process ? process_life__fork(&process->life, event) : -ENOMEM;
	if (err || result != FORK_PROCESS || event->misc & PERF_RECORD_MISC_FORK_EXEC)
		return err;
	parent = processes__find(processes, event->fork.ppid);
	if (parent)
		inherit(processes, process, parent);
	return 0;
}

int processes__comm(struct processes *processes, const struct event *event, uint64_t now_ns)
{
	struct process *process = processes__get(processes, event->pid, event->tid);
	int err = process ? process_life__comm(&process->life, event) : -ENOMEM;

	if (err)
		return err;
	if (event->comm.exec) {
		maps__release(&process->maps, &processes->sightings->refs, now_ns);
		processes->n_heirs -= process->heir;
		process->heir = false;
	} else if (event->tid != event->pid) {
		return 0; /* only the name of a thread changed */
	}
	strncpy(process->comm, event->comm.comm, sizeof(process->comm) - 1);
	return 0;
}

int processes__exit(struct processes *processes, const struct event *event, uint64_t now_ns)
{
	struct process *process = processes__find(processes, event->pid);

	return process && process_life__exit(&process->life, event) == PROCESS_OVER
		       ? end(processes, process, now_ns)
		       : 0;
}

int processes__check(struct processes *processes, uint64_t since_ns, uint64_t now_ns)
{
	struct process *process, *next;
	int err = 0;

	HASH_ITER (hh, processes->by_pid, process, next)
		if (!err && process_life__check(&process->life, since_ns) == PROCESS_OVER)
			err = end(processes, process, now_ns);
	return err;
}

void processes__free(struct processes *processes)
{
	struct process *process, *next;

	HASH_ITER (hh, processes->by_pid, process, next)
		end(processes, process, 0);
}
