// SPDX-License-Identifier: GPL-2.0-only
/* tasks: see tasks.h. */
#include "user/model/profile/tasks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/hash.h"
#include "user/model/profile/texts.h"

/* The task that has a tid now. */
struct entry {
	UT_hash_handle hh;
	uint32_t tid;
	uint32_t task;
};

struct tasks {
	struct task *v;
	size_t n, room;
	struct entry *by_tid;
	struct texts texts;
	uint32_t unnamed; /* a text */
};

void tasks__free(struct tasks *tasks)
{
	struct entry *entry, *next;

	if (!tasks)
		return;
	HASH_ITER (hh, tasks->by_tid, entry, next) {
		HASH_DEL(tasks->by_tid, entry);
		free(entry);
	}
	for (size_t i = 0; i < tasks->n; i++)
		free(tasks->v[i].maps);
	free(tasks->v);
	texts__free(&tasks->texts);
	free(tasks);
}

static struct entry *find(struct tasks *tasks, uint32_t tid)
{
	struct entry *entry;

	HASH_FIND(hh, tasks->by_tid, &tid, sizeof(tid), entry);
	return entry;
}

static struct entry *enter(struct tasks *tasks, uint32_t tid)
{
	struct entry *entry = find(tasks, tid);

	if (entry)
		return entry;
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return NULL;
	entry->tid = tid;
	HASH_ADD(hh, tasks->by_tid, tid, sizeof(tid), entry);
	if (hash__added(entry))
		return entry;
	free(entry);
	return NULL;
}

static int add(struct tasks *tasks, uint32_t pid, uint32_t tid, uint32_t parent)
{
	struct entry *entry = enter(tasks, tid);

	if (tasks->n == tasks->room) {
		size_t room = tasks->room ? 2 * tasks->room : 64;
		struct task *v = room < TASKS_NONE ? realloc(tasks->v, room * sizeof(*v)) : NULL;

		if (!v)
			return -ENOMEM;
		tasks->v = v;
		tasks->room = room;
	}
	if (!entry)
		return -ENOMEM;
	entry->task = tasks->n;
	tasks->v[tasks->n++] = (struct task){
		.pid = pid, .tid = tid, .parent = parent, .comm = tasks->unnamed};
	return 0;
}

int tasks__new(struct tasks **ret)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret || texts__add(&(*ret)->texts, "?", &(*ret)->unnamed) ||
		add(*ret, 0, 0, TASKS_NONE))
		return -ENOMEM;
	/* Nothing tells of the idle task, which perf calls so. */
	return texts__add(&(*ret)->texts, "swapper", &(*ret)->v[0].comm);
}

static int inherit(struct task *to, const struct task *from)
{
	to->comm = from->comm;
	if (to->pid == from->pid || !from->n_maps)
		return 0;
	to->maps = calloc(from->n_maps, sizeof(*to->maps));
	if (!to->maps)
		return -ENOMEM;
	memcpy(to->maps, from->maps, from->n_maps * sizeof(*to->maps));
	to->n_maps = from->n_maps;
	return 0;
}

static int take_fork(struct tasks *tasks, const struct event *event)
{
	struct entry *parent = find(tasks, event->fork.ppid);
	uint32_t number;

	/* One that was there before may be told of as the child of one that is not known. */
	if (!parent && event->fork.ppid && event->fork.ppid != UINT32_MAX &&
		event->fork.ppid != event->tid &&
		add(tasks, event->fork.ppid, event->fork.ppid, TASKS_NONE))
		return -ENOMEM;
	parent = find(tasks, event->fork.ppid);
	number = parent && event->fork.ppid != event->tid ? parent->task : TASKS_NONE;
	if (add(tasks, event->pid, event->tid, number))
		return -ENOMEM;
	return number == TASKS_NONE ? 0 : inherit(&tasks->v[tasks->n - 1], &tasks->v[number]);
}

/* The task of @tid, which may be new. */
static int task_of(struct tasks *tasks, uint32_t pid, uint32_t tid, struct task **ret)
{
	struct entry *entry = find(tasks, tid);

	if (!entry && add(tasks, pid, tid, TASKS_NONE))
		return -ENOMEM;
	entry = find(tasks, tid);
	*ret = &tasks->v[entry->task];
	return 0;
}

static int take_comm(struct tasks *tasks, const struct event *event)
{
	struct task *task;
	uint32_t comm;

	if (task_of(tasks, event->pid, event->tid, &task) ||
		texts__add(&tasks->texts, event->comm.comm, &comm))
		return -ENOMEM;
	task->comm = comm;
	if (event->comm.exec)
		task->n_maps = 0;
	return 0;
}

static int take_map(struct tasks *tasks, const struct event *event)
{
	const struct event_map *map = &event->map;
	struct task_map *maps;
	struct task *task;
	uint32_t path;

	if (map->kernel || !map->executable)
		return 0;
	if (task_of(tasks, event->pid, event->pid, &task) ||
		texts__add(&tasks->texts, map->path, &path))
		return -ENOMEM;
	for (size_t i = 0; i < task->n_maps; i++)
		if (task->maps[i].addr == map->addr) { /* it is told of again, or anew */
			task->maps[i] = task->maps[--task->n_maps];
			break;
		}
	maps = realloc(task->maps, (task->n_maps + 1) * sizeof(*maps));
	if (!maps)
		return -ENOMEM;
	task->maps = maps;
	maps[task->n_maps++] = (struct task_map){
		.addr = map->addr,
		.len = map->len,
		.pgoff = map->pgoff,
		.ino = map->identity.ino,
		.prot = map->prot,
		.path = path,
	};
	return 0;
}

int tasks__apply(struct tasks *tasks, const struct event *event)
{
	switch (event->kind) {
	case EVENT_COMM:
		return take_comm(tasks, event);
	case EVENT_FORK:
		return take_fork(tasks, event);
	case EVENT_MAP:
		return take_map(tasks, event);
	default:
		return 0;
	}
}

size_t tasks__n(const struct tasks *tasks)
{
	return tasks->n;
}

const struct task *tasks__at(const struct tasks *tasks, size_t i)
{
	return &tasks->v[i];
}

const char *tasks__text(const struct tasks *tasks, uint32_t text)
{
	return texts__at(&tasks->texts, text);
}
