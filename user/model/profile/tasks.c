// SPDX-License-Identifier: GPL-2.0-only
/* tasks: see tasks.h. */
#include "user/model/profile/tasks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/model/tables/by_number.h"
#include "user/model/profile/texts.h"

/* The task that currently has a tid. */
struct entry {
	struct by_number by_tid;
	uint32_t task;
};

/*
 * Mappings in the order of their records: the last one at an address counts. A forked process has
 * the mappings of its parent, which are the first ones of another layer, up to a number. Several
 * processes can share a layer, because mappings are only added to it.
 */
struct layer {
	struct task_map *v;
	size_t n, room;
	uint32_t below; /* LAYER_NONE */
	size_t n_below; /* number of mappings of .below that belong to this layer, too */
};

#define LAYER_NONE UINT32_MAX

struct tasks {
	struct task *v;
	size_t n, room;
	struct layer *layers;
	size_t n_layers, layers_room;
	struct by_number *by_tid; /* struct entry */
	struct texts texts;
	uint32_t unnamed; /* number of a text */
};

void tasks__free(struct tasks *tasks)
{
	if (!tasks)
		return;
	by_number__free(&tasks->by_tid);
	for (size_t i = 0; i < tasks->n_layers; i++)
		free(tasks->layers[i].v);
	free(tasks->layers);
	free(tasks->v);
	texts__free(&tasks->texts);
	free(tasks);
}

static int add(struct tasks *tasks, uint32_t pid, uint32_t tid, uint32_t parent)
{
	struct entry *entry = by_number__get(&tasks->by_tid, tid, sizeof(*entry));

	if (!entry ||
		array__reserve_numbered(&tasks->v, &tasks->room, tasks->n + 1, sizeof(*tasks->v)))
		return -ENOMEM;
	entry->task = tasks->n;
	tasks->v[tasks->n++] = (struct task){.pid = pid,
		.tid = tid,
		.parent = parent,
		.comm = tasks->unnamed,
		.layer = LAYER_NONE};
	return 0;
}

/* Adds a layer for @task that includes the first @n_below mappings of @below. */
static int add_layer(struct tasks *tasks, struct task *task, uint32_t below, size_t n_below)
{
	if (array__reserve_numbered(&tasks->layers, &tasks->layers_room, tasks->n_layers + 1,
		    sizeof(*tasks->layers)))
		return -ENOMEM;
	task->layer = tasks->n_layers++;
	tasks->layers[task->layer] = (struct layer){.below = below, .n_below = n_below};
	return 0;
}

int tasks__new(struct tasks **ret)
{
	*ret = calloc(1, sizeof(**ret));
	if (!*ret || texts__add(&(*ret)->texts, "?", &(*ret)->unnamed) ||
		add(*ret, 0, 0, TASKS_NONE))
		return -ENOMEM;
	/* There is no record of the idle task; perf uses this name. */
	return texts__add(&(*ret)->texts, "swapper", &(*ret)->v[0].comm);
}

static int inherit(struct tasks *tasks, struct task *to, const struct task *from)
{
	const struct layer *layer;

	to->comm = from->comm;
	if (to->pid == from->pid || from->layer == LAYER_NONE)
		return 0;
	layer = &tasks->layers[from->layer];
	/* A fork of a process that mapped nothing adds no layer, so chains of forks stay short. */
	return layer->n ? add_layer(tasks, to, from->layer, layer->n)
			: add_layer(tasks, to, layer->below, layer->n_below);
}

static int take_fork(struct tasks *tasks, const struct event *event)
{
	struct entry *parent = by_number__find(tasks->by_tid, event->fork.ppid);
	uint32_t number;

	/* The record of a task that existed before may name a parent that is not known. */
	if (!parent && event->fork.ppid && event->fork.ppid != UINT32_MAX &&
		event->fork.ppid != event->tid &&
		add(tasks, event->fork.ppid, event->fork.ppid, TASKS_NONE))
		return -ENOMEM;
	parent = by_number__find(tasks->by_tid, event->fork.ppid);
	number = parent && event->fork.ppid != event->tid ? parent->task : TASKS_NONE;
	if (add(tasks, event->pid, event->tid, number))
		return -ENOMEM;
	return number == TASKS_NONE ? 0
				    : inherit(tasks, &tasks->v[tasks->n - 1], &tasks->v[number]);
}

/* Sets *@ret to the task of @tid, which may be new. */
static int task_of(struct tasks *tasks, uint32_t pid, uint32_t tid, struct task **ret)
{
	struct entry *entry = by_number__find(tasks->by_tid, tid);

	if (!entry && add(tasks, pid, tid, TASKS_NONE))
		return -ENOMEM;
	entry = by_number__find(tasks->by_tid, tid);
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
		task->layer = LAYER_NONE;
	return 0;
}

static int add_map(struct layer *layer, const struct task_map *map)
{
	if (array__reserve(&layer->v, &layer->room, layer->n + 1, sizeof(*layer->v)))
		return -ENOMEM;
	layer->v[layer->n++] = *map;
	return 0;
}

static int take_map(struct tasks *tasks, const struct event *event)
{
	const struct event_map *map = &event->map;
	struct task *task;
	uint32_t path;

	if (map->kernel || !map->executable)
		return 0;
	if (task_of(tasks, event->pid, event->pid, &task) ||
		texts__add(&tasks->texts, map->path, &path))
		return -ENOMEM;
	if (task->layer == LAYER_NONE && add_layer(tasks, task, LAYER_NONE, 0))
		return -ENOMEM;
	return add_map(&tasks->layers[task->layer], &(struct task_map){
							    .addr = map->addr,
							    .len = map->len,
							    .pgoff = map->pgoff,
							    .ino = map->identity.ino,
							    .prot = map->prot,
							    .path = path,
						    });
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

struct ordered {
	const struct task_map *map;
	size_t order; /* 0 is the newest */
};

/* Sorts by address, and mappings at one address with the newest first. */
static int compare_maps(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	if (x->map->addr != y->map->addr)
		return x->map->addr < y->map->addr ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/*
 * Collects the mappings of layer @number and those below it, the newest first. Returns their
 * number. If @ret is NULL, it only counts.
 */
static size_t collect(const struct tasks *tasks, uint32_t number, struct ordered *ret)
{
	size_t n = 0, upto = number == LAYER_NONE ? 0 : tasks->layers[number].n;

	while (number != LAYER_NONE) {
		const struct layer *layer = &tasks->layers[number];

		for (size_t i = upto; ret && i--; n++)
			ret[n] = (struct ordered){&layer->v[i], n};
		n += ret ? 0 : upto;
		upto = layer->n_below;
		number = layer->below;
	}
	return n;
}

int tasks__maps(const struct tasks *tasks, size_t i, struct task_map **ret, size_t *ret_n)
{
	uint32_t layer = tasks->v[i].layer;
	size_t n = collect(tasks, layer, NULL);
	struct ordered *all = calloc(n + 1, sizeof(*all));

	*ret_n = 0;
	*ret = calloc(n + 1, sizeof(**ret));
	if (!all || !*ret) {
		free(all);
		return -ENOMEM;
	}
	collect(tasks, layer, all);
	qsort(all, n, sizeof(*all), compare_maps);
	for (size_t at = 0; at < n; at++)
		if (!*ret_n || (*ret)[*ret_n - 1].addr != all[at].map->addr)
			(*ret)[(*ret_n)++] = *all[at].map;
	free(all);
	return 0;
}

const char *tasks__text(const struct tasks *tasks, uint32_t text)
{
	return texts__at(&tasks->texts, text);
}
