// SPDX-License-Identifier: GPL-2.0-only
/*
 * processes: see process.h.
 *
 * An EXIT can be lost, and a pid used again: a FORK that makes a pid that is
 * still known ends the old process first. A process lives until its leader and
 * every other thread that was seen have exited: a leader may exit before the
 * others, which then still run in its mappings.
 *
 * A child inherits all mappings, but most children call exec at once. So it
 * counts as a process of what it inherited when it maps something, is sampled
 * there, or exits without having called exec.
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

int processes__settle(struct processes *processes, struct process *process)
{
	if (!process->heir)
		return 0;
	for (size_t i = 0; process->maps && i < process->maps->n; i++)
		if (sightings__add_pid(
			    processes->sightings, process->maps->v[i].sighting, process->pid))
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
	forget_threads(process);
	maps__release(&process->maps, &processes->sightings->refs, now_ns);
	free(process);
}

static int end(struct processes *processes, struct process *process, uint64_t now_ns)
{
	int err = processes__settle(processes, process);

	drop(processes, process, now_ns);
	return err;
}

size_t process__n_threads(const struct process *process)
{
	return HASH_COUNT(process->threads) + !process->leader_exited;
}

bool process__is_older(const struct process *process, const struct event *event)
{
	return event->time_ns && event->time_ns < process->begin_ns;
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
	bool existed = event->misc & PERF_RECORD_MISC_FORK_EXEC;
	struct process *process = processes__find(processes, event->pid);
	const struct process *parent;
	int err;

	if (event->pid == event->fork.ppid || event->tid != event->pid) {
		process = processes__get(processes, event->pid);
		return process ? add_thread(process, event->tid) : -ENOMEM;
	}
	if (process && existed)
		return 0;
	err = process ? end(processes, process, now_ns) : 0;
	if (err)
		return err;
	process = processes__get(processes, event->pid);
	if (!process)
		return -ENOMEM;
	process->begin_ns = existed ? 0 : event->time_ns;
	parent = processes__find(processes, event->fork.ppid);
	if (parent && !existed)
		inherit(processes, process, parent);
	return 0;
}

int processes__comm(struct processes *processes, const struct event *event, uint64_t now_ns)
{
	struct process *process = processes__get(processes, event->pid);

	if (!process)
		return -ENOMEM;
	if (event->comm.exec) { /* the other threads are gone, and the one left is the leader */
		maps__release(&process->maps, &processes->sightings->refs, now_ns);
		forget_threads(process);
		process->leader_exited = false;
		process->begin_ns = event->time_ns;
		processes->n_heirs -= process->heir;
		process->heir = false;
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

	if (!process || process__is_older(process, event))
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
		return end(processes, process, now_ns);
	return 0;
}

void processes__free(struct processes *processes)
{
	struct process *process, *next;

	HASH_ITER (hh, processes->by_pid, process, next)
		end(processes, process, 0);
}
