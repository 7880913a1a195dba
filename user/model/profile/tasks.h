/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes and threads of a recording with the last mappings of each, for perf's --tasks and
 * --mmaps. Pure. Time and memory are bounded by the number of events, even for a hostile recording.
 */
#ifndef PERFSTAMP_MODEL_TASKS_H
#define PERFSTAMP_MODEL_TASKS_H

#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"

#define TASKS_NONE UINT32_MAX

struct task_map {
	uint64_t addr, len, pgoff; /* bytes */
	uint64_t ino;
	uint32_t prot;
	uint32_t path; /* number in the texts */
};

struct task {
	uint32_t pid, tid;
	uint32_t parent; /* number of the parent, or TASKS_NONE */
	uint32_t comm;   /* number in the texts */
	uint32_t layer;  /* private: the layer with its mappings */
};

struct tasks;

/* Returns 0 or -ENOMEM. The caller frees *@ret in either case. */
int tasks__new(struct tasks **ret);
void tasks__free(struct tasks *tasks);
/* Applies the next event in time order. Returns 0 or -ENOMEM. */
int tasks__apply(struct tasks *tasks, const struct event *event);
/* Tasks in order of appearance. A pid that was reused is two tasks. */
size_t tasks__n(const struct tasks *tasks);
const struct task *tasks__at(const struct tasks *tasks, size_t i);
/*
 * Lists the last mappings of task @i in the order of addresses. *@ret_n is set to their number. The
 * caller frees *@ret, which may be NULL if there are none. Returns 0 or -ENOMEM.
 */
int tasks__maps(const struct tasks *tasks, size_t i, struct task_map **ret, size_t *ret_n);
const char *tasks__text(const struct tasks *tasks, uint32_t text);

#endif
