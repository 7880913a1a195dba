/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of threads, each with the newest time at which it is known to have lived: 16 bytes
 * a thread, so that it can be kept of every thread of a machine. Does not know any
 * processes or events.
 */
#ifndef PERFSTAMP_MODEL_TASK_THREADS_H
#define PERFSTAMP_MODEL_TASK_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_entry {
	uint32_t tid; /* 0: a free place */
	uint64_t seen_ns;
};

/* All zeros is the empty set. */
struct threads {
	struct thread_entry *v; /* open addressing */
	size_t n;               /* threads */
	size_t room;            /* places: a power of two, or 0 */
};

void threads__free(struct threads *threads);

/*
 * Adds @tid if it is new; then, or if it was last seen before, it was seen at @seen_ns. 0,
 * which is the idle task and no thread of a process, is skipped. Returns 0 or -ENOMEM.
 */
int threads__see(struct threads *threads, uint32_t tid, uint64_t seen_ns);
bool threads__has(const struct threads *threads, uint32_t tid);
void threads__remove(struct threads *threads, uint32_t tid);
/* Removes those that were not seen at @since_ns or later. */
void threads__remove_unseen(struct threads *threads, uint64_t since_ns);

/* Bytes that it takes. */
static inline size_t threads__memory(const struct threads *threads)
{
	return threads->room * sizeof(*threads->v);
}

#endif
