/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of threads, each with the newest time at which it is known to have lived. An entry takes 16
 * bytes, so the recorder can keep all threads of a machine. Knows neither processes nor events.
 */
#ifndef PERFSTAMP_MODEL_TASK_THREADS_H
#define PERFSTAMP_MODEL_TASK_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_entry {
	uint32_t tid; /* 0: the place is free */
	uint64_t seen_ns;
};

/* All zero: the empty set. */
struct threads {
	struct thread_entry *v; /* open addressing */
	size_t n;               /* threads */
	size_t room;            /* places: a power of two, or 0 */
};

void threads__free(struct threads *threads);

/*
 * Adds @tid if it is new. Sets the time at which it was last seen to @seen_ns if that is newer.
 * Skips tid 0, which is the idle task. Returns 0 or -ENOMEM.
 */
int threads__see(struct threads *threads, uint32_t tid, uint64_t seen_ns);
bool threads__has(const struct threads *threads, uint32_t tid);
void threads__remove(struct threads *threads, uint32_t tid);
/* Removes threads that were not seen at @since_ns or later. */
void threads__remove_unseen(struct threads *threads, uint64_t since_ns);

/* Returns the size in bytes. */
static inline size_t threads__memory(const struct threads *threads)
{
	return threads->room * sizeof(*threads->v);
}

#endif
