// SPDX-License-Identifier: GPL-2.0-only
/* See runs.h. */
#include "user/model/runs.h"

#include <errno.h>
#include <stdlib.h>

#include "user/base/array.h"
#include "user/base/hash.h"
#include "user/model/tables/pidset.h"

struct thread_number {
	uint32_t tid;
	uint32_t number;
	UT_hash_handle hh;
};

struct run {
	uint64_t begin_ns;
	struct run *parent; /* the run that it inherited its mappings from, or NULL */
	bool wanted;
	uint32_t number;
	struct thread_number *threads; /* without the leader */
};

struct runs_of_pid {
	uint32_t pid;
	struct run **v; /* in time order */
	size_t n;
	UT_hash_handle hh;
};

struct runs {
	struct runs_of_pid *by_pid;
};

struct run_numbers {
	uint8_t *taken; /* one bit for each pid */
	uint32_t next;
};

int runs__new(struct runs **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

static void free_run(struct run *run)
{
	hash__free(run->threads);
	free(run);
}

void runs__free(struct runs *runs)
{
	struct runs_of_pid *of, *next;

	if (!runs)
		return;
	HASH_ITER (hh, runs->by_pid, of, next) {
		HASH_DEL(runs->by_pid, of);
		for (size_t i = 0; i < of->n; i++)
			free_run(of->v[i]);
		free(of->v);
		free(of);
	}
	free(runs);
}

static struct runs_of_pid *find(const struct runs *runs, uint32_t pid)
{
	struct runs_of_pid *of;

	HASH_FIND(hh, runs->by_pid, &pid, sizeof(pid), of);
	return of;
}

/* Returns the last run that had begun at @time_ns. Before the first run, returns the first. */
static struct run *run_at(const struct runs *runs, uint32_t pid, uint64_t time_ns)
{
	const struct runs_of_pid *of = find(runs, pid);
	size_t low = 0, high = of ? of->n : 0;

	if (!high)
		return NULL;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (of->v[middle]->begin_ns <= time_ns)
			low = middle;
		else
			high = middle;
	}
	return of->v[low];
}

static int begin(struct runs *runs, uint32_t pid, uint64_t time_ns, struct run *parent)
{
	struct runs_of_pid *of = find(runs, pid);
	struct run *run = calloc(1, sizeof(*run));

	if (!run)
		return -ENOMEM;
	*run = (struct run){.begin_ns = time_ns, .parent = parent};
	if (!of) {
		of = calloc(1, sizeof(*of));
		if (!of)
			goto no_memory;
		of->pid = pid;
		HASH_ADD(hh, runs->by_pid, pid, sizeof(pid), of);
		if (!hash__added(of)) {
			free(of);
			goto no_memory;
		}
	}
	if (array__extend(&of->v, of->n, sizeof(*of->v)))
		goto no_memory;
	of->v[of->n++] = run;
	return 0;
no_memory:
	free(run);
	return -ENOMEM;
}

int runs__apply(struct runs *runs, const struct event *event)
{
	bool is_known = event->pid == UINT32_MAX || find(runs, event->pid);

	switch (event->kind) {
	case EVENT_FORK:
		if (event->pid == event->fork.ppid)
			return 0; /* a thread */
		if (!event->time_ns || event->misc & PERF_RECORD_MISC_FORK_EXEC)
			return is_known ? 0 : begin(runs, event->pid, 0, NULL);
		return begin(runs, event->pid, event->time_ns,
			run_at(runs, event->fork.ppid, event->time_ns));
	case EVENT_COMM:
		if (event->comm.exec && event->time_ns && event->pid != UINT32_MAX)
			return begin(runs, event->pid, event->time_ns, NULL);
		return is_known ? 0 : begin(runs, event->pid, 0, NULL);
	case EVENT_MAP:
	case EVENT_SAMPLE:
		return is_known ? 0 : begin(runs, event->pid, 0, NULL);
	default:
		return 0;
	}
}

void runs__want(struct runs *runs, uint32_t pid, uint64_t time_ns)
{
	struct run *run = run_at(runs, pid, time_ns);

	for (; run && !run->wanted; run = run->parent)
		run->wanted = true;
}

bool runs__wants(const struct runs *runs, uint32_t pid, uint64_t time_ns)
{
	const struct run *run = run_at(runs, pid, time_ns);

	return run && run->wanted;
}

int run_numbers__new(struct run_numbers **ret)
{
	struct run_numbers *numbers = calloc(1, sizeof(*numbers));

	if (!numbers)
		return -ENOMEM;
	numbers->taken = calloc(PIDSET_PID_LIMIT / 8, 1);
	numbers->next = PIDSET_PID_LIMIT;
	if (!numbers->taken) {
		free(numbers);
		return -ENOMEM;
	}
	*ret = numbers;
	return 0;
}

void run_numbers__free(struct run_numbers *numbers)
{
	if (!numbers)
		return;
	free(numbers->taken);
	free(numbers);
}

/* Pid 0, the idle task, keeps its number in all recordings. */
static uint32_t give(struct run_numbers *numbers, uint32_t wished)
{
	if (!wished)
		return 0;
	if (wished >= PIDSET_PID_LIMIT || numbers->taken[wished / 8] >> wished % 8 & 1)
		return numbers->next++;
	numbers->taken[wished / 8] |= 1u << wished % 8;
	return wished;
}

void runs__number(struct runs *runs, struct run_numbers *numbers)
{
	for (struct runs_of_pid *of = runs->by_pid; of; of = of->hh.next)
		for (size_t i = 0; i < of->n; i++)
			if (of->v[i]->wanted)
				of->v[i]->number = give(numbers, of->pid);
}

int runs__renumber(struct runs *runs, struct run_numbers *numbers, uint32_t pid, uint32_t tid,
	uint64_t time_ns, uint32_t *ret_pid, uint32_t *ret_tid)
{
	struct run *run = run_at(runs, pid, time_ns);
	struct thread_number *thread;

	*ret_pid = pid;
	*ret_tid = tid;
	if (!run || !run->wanted)
		return 0;
	*ret_pid = run->number;
	*ret_tid = run->number;
	if (tid == pid)
		return 0;
	HASH_FIND(hh, run->threads, &tid, sizeof(tid), thread);
	if (!thread) {
		thread = calloc(1, sizeof(*thread));
		if (!thread)
			return -ENOMEM;
		thread->tid = tid;
		thread->number = give(numbers, tid);
		HASH_ADD(hh, run->threads, tid, sizeof(tid), thread);
		if (!hash__added(thread)) {
			free(thread);
			return -ENOMEM;
		}
	}
	*ret_tid = thread->number;
	return 0;
}
