/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes and threads of a recording with what each had mapped at last: what perf's
 * --tasks and --mmaps show. Pure. Time and memory are bounded by the number of events, also where
 * a recording was made so that they would not be.
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
	uint32_t path; /* in the texts */
};

struct task {
	uint32_t pid, tid;
	uint32_t parent; /* its number, or TASKS_NONE */
	uint32_t comm;   /* in the texts */
	uint32_t layer;  /* private: the layer of its mappings */
};

struct tasks;

/* Returns 0 or -ENOMEM; to be freed in either case. */
int tasks__new(struct tasks **ret);
void tasks__free(struct tasks *tasks);
/* Takes the next event in time order. Returns 0 or -ENOMEM. */
int tasks__apply(struct tasks *tasks, const struct event *event);
/* In the order in which they were met. A pid that was used again is two. */
size_t tasks__n(const struct tasks *tasks);
const struct task *tasks__at(const struct tasks *tasks, size_t i);
/*
 * Lists the last mappings of task @i in the order of addresses: @ret_n of them. The caller frees
 * *@ret, which may be NULL if there are none. Returns 0 or -ENOMEM.
 */
int tasks__maps(const struct tasks *tasks, size_t i, struct task_map **ret, size_t *ret_n);
const char *tasks__text(const struct tasks *tasks, uint32_t text);

#endif
