/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of process ids that counts exactly and stays small. The first PIDSET_LISTED pids are in a
 * list in order of appearance. A hash table has the rest, and is replaced by one bit for each
 * possible pid once that is smaller. Does not know processes.
 */
#ifndef PERFSTAMP_MODEL_TABLES_PIDSET_H
#define PERFSTAMP_MODEL_TABLES_PIDSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PIDSET_LISTED 1024
#define PIDSET_PID_LIMIT 4194304u /* the kernel's PID_MAX_LIMIT; pids are below it */

struct pidset {
	size_t n;        /* distinct pids */
	uint32_t newest; /* the last added pid, which is often added again */
	uint32_t *list;  /* the first min(n, PIDSET_LISTED) pids */
	uint32_t *slots; /* open addressing, 0: free; or NULL */
	size_t n_slots;
	uint8_t *bits; /* PIDSET_PID_LIMIT bits, which replace the slots; or NULL */
};

/*
 * Returns 0 or -ENOMEM. Skips pid 0, which is the idle task, and numbers that Linux does not use,
 * which come from damaged files.
 */
int pidset__add(struct pidset *set, uint32_t pid);
void pidset__free(struct pidset *set);

static inline size_t pidset__n_listed(const struct pidset *set)
{
	return set->n < PIDSET_LISTED ? set->n : PIDSET_LISTED;
}

#endif
