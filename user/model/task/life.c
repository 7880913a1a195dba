// SPDX-License-Identifier: GPL-2.0-only
/* process_life: see life.h. */
#include "user/model/task/life.h"

#include <string.h>

void process_life__init(struct process_life *life, uint32_t pid, uint32_t tid)
{
	*life = (struct process_life){
		.pid = pid,
		.leader = tid == pid ? LEADER_LIVES : LEADER_UNKNOWN,
	};
}

void process_life__free(struct process_life *life)
{
	threads__free(&life->others);
}

int process_life__see(struct process_life *life, uint32_t tid, uint64_t time_ns)
{
	if (tid != life->pid)
		return threads__see(&life->others, tid, time_ns);
	life->leader = LEADER_LIVES;
	if (life->leader_seen_ns < time_ns)
		life->leader_seen_ns = time_ns;
	return 0;
}

void process_life__map(struct process_life *life, uint32_t tid, uint64_t time_ns)
{
	if (life->leader == LEADER_UNKNOWN)
		life->leader = LEADER_LIVES;
	if (tid == life->pid && life->leader_seen_ns < time_ns)
		life->leader_seen_ns = time_ns;
	/* The thread is in the set already, so this needs no memory. */
	else if (threads__has(&life->others, tid))
		threads__see(&life->others, tid, time_ns);
}

bool process_life__has(const struct process_life *life, uint32_t tid)
{
	return tid == life->pid || threads__has(&life->others, tid);
}

size_t process_life__n_threads(const struct process_life *life)
{
	return life->others.n + (life->leader == LEADER_LIVES);
}

bool process_life__is_older(const struct process_life *life, const struct event *event)
{
	return event__time(event) && event__time(event) < life->begin_ns;
}

static enum process_fate fate_of(const struct process_life *life)
{
	return process_life__n_threads(life) ? PROCESS_LIVES : PROCESS_OVER;
}

enum fork_result process_life__fork_result(
	const struct process_life *life, const struct event *event)
{
	if (event->pid == event->fork.ppid || event->tid != event->pid)
		return FORK_THREAD;
	return life && event->misc & PERF_RECORD_MISC_FORK_EXEC ? FORK_KNOWN : FORK_PROCESS;
}

int process_life__fork(struct process_life *life, const struct event *event)
{
	bool existed = event->misc & PERF_RECORD_MISC_FORK_EXEC;
	int err = 0;

	if (process_life__fork_result(life, event) == FORK_PROCESS)
		life->begin_ns = event__time(event);
	else if (!existed && event->pid == event->fork.ppid)
		err = process_life__see(life, event->fork.ptid, event__time(event));
	return err ? err : process_life__see(life, event->tid, event__time(event));
}

int process_life__comm(struct process_life *life, const struct event *event)
{
	if (event->comm.exec) {
		threads__free(&life->others);
		life->begin_ns = event__time(event);
		life->leader = LEADER_LIVES;
	}
	return process_life__see(life, event->tid, event__time(event));
}

enum process_fate process_life__exit(struct process_life *life, const struct event *event)
{
	if (process_life__is_older(life, event))
		return PROCESS_UNTOUCHED;
	if (event->tid == life->pid)
		life->leader = LEADER_EXITED;
	else
		threads__remove(&life->others, event->tid);
	return fate_of(life);
}

enum process_fate process_life__check(struct process_life *life, uint64_t since_ns)
{
	threads__remove_unseen(&life->others, since_ns);
	if (life->leader_seen_ns < since_ns)
		life->leader = LEADER_EXITED;
	return fate_of(life);
}
