// SPDX-License-Identifier: GPL-2.0-only
/*
 * processes: see process.h.
 *
 * An EXIT can be lost, and a pid used again: a FORK that makes a pid that is
 * still known ends the old process first. A process lives until its leader and
 * every other thread that was seen have exited: a leader may exit before the
 * others, which then still run in its mappings.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/process.h"

struct thread {
	uint32_t tid;
	UT_hash_handle hh;
};

static void forget_threads(struct process *process)
{
	struct thread *thread, *next;

	HASH_ITER (hh, process->threads, thread, next) {
		HASH_DEL(process->threads, thread);
		free(thread);
	}
}

static int add_thread(struct process *process, uint32_t tid)
{
	struct thread *thread;

	if (tid == process->pid)
		return 0;
	HASH_FIND(hh, process->threads, &tid, sizeof(tid), thread);
	if (thread)
		return 0;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return -ENOMEM;
	thread->tid = tid;
	HASH_ADD(hh, process->threads, tid, sizeof(tid), thread);
	if (hash__added(thread))
		return 0;
	free(thread);
	return -ENOMEM;
}

static void end(struct processes *processes, struct process *process, uint64_t now_ns)
{
	HASH_DEL(processes->by_pid, process);
	forget_threads(process);
	maps__release(&process->maps, processes->sightings, now_ns);
	free(process);
}

struct process *processes__find(const struct processes *processes, uint32_t pid)
{
	struct process *process;

	HASH_FIND(hh, processes->by_pid, &pid, sizeof(pid), process);
	return process;
}

struct process *processes__get(struct processes *processes, uint32_t pid)
{
	struct process *process = processes__find(processes, pid);

	if (process)
		return process;
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = pid;
	HASH_ADD(hh, processes->by_pid, pid, sizeof(pid), process);
	if (hash__added(process))
		return process;
	free(process);
	return NULL;
}

static int inherit(struct processes *processes, struct process *child, const struct process *parent)
{
	memcpy(child->comm, parent->comm, sizeof(child->comm));
	child->cgroup_id = parent->cgroup_id;
	child->mnt_ns = parent->mnt_ns;
	child->maps = maps__share(parent->maps);
	for (size_t i = 0; child->maps && i < child->maps->n; i++)
		if (sightings__add_pid(
			    processes->sightings, child->maps->v[i].sighting, child->pid))
			return -ENOMEM;
	return 0;
}

int processes__fork(struct processes *processes, const struct event *event, uint64_t now_ns)
{
	bool existed = event->misc & PERF_RECORD_MISC_FORK_EXEC;
	struct process *process = processes__find(processes, event->pid);
	const struct process *parent;

	if (event->pid == event->fork.ppid || event->tid != event->pid) {
		process = processes__get(processes, event->pid);
		return process ? add_thread(process, event->tid) : -ENOMEM;
	}
	if (process && existed)
		return 0;
	if (process)
		end(processes, process, now_ns);
	process = processes__get(processes, event->pid);
	if (!process)
		return -ENOMEM;
	parent = processes__find(processes, event->fork.ppid);
	return parent && !existed ? inherit(processes, process, parent) : 0;
}

int processes__comm(struct processes *processes, const struct event *event, uint64_t now_ns)
{
	struct process *process = processes__get(processes, event->pid);

	if (!process)
		return -ENOMEM;
	if (event->comm.exec) { /* the other threads are gone, and the one left is the leader */
		maps__release(&process->maps, processes->sightings, now_ns);
		forget_threads(process);
		process->leader_exited = false;
	} else if (event->tid != event->pid) {
		return add_thread(process, event->tid); /* a thread's own name */
	}
	strncpy(process->comm, event->comm.comm, sizeof(process->comm) - 1);
	return 0;
}

int processes__exit(struct processes *processes, const struct event *event, uint64_t now_ns)
{
	struct process *process = processes__find(processes, event->pid);
	struct thread *thread;

	if (!process)
		return 0;
	if (event->tid == event->pid) {
		process->leader_exited = true;
	} else {
		HASH_FIND(hh, process->threads, &event->tid, sizeof(event->tid), thread);
		if (thread) {
			HASH_DEL(process->threads, thread);
			free(thread);
		}
	}
	if (process->leader_exited && !process->threads)
		end(processes, process, now_ns);
	return 0;
}

void processes__free(struct processes *processes)
{
	struct process *process, *next;

	HASH_ITER (hh, processes->by_pid, process, next)
		end(processes, process, 0);
}
