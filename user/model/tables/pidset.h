/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of process ids that counts exactly and stays small: the first PIDSET_LISTED in
 * order of appearance, a hash table for the rest, and one bit for each possible pid once
 * that is smaller. Does not know processes.
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
	uint32_t newest; /* the last one added: mostly the next one too */
	uint32_t *list;  /* min(n, PIDSET_LISTED) of them */
	uint32_t *slots; /* open addressing, 0 is free; or NULL */
	size_t n_slots;
	uint8_t *bits; /* PIDSET_PID_LIMIT bits; then there are no slots */
};

/*
 * Returns 0 or -ENOMEM. Pid 0 and numbers that Linux does not give out are skipped: they
 * come from the idle task and from damaged files.
 */
int pidset__add(struct pidset *set, uint32_t pid);
void pidset__free(struct pidset *set);

static inline size_t pidset__n_listed(const struct pidset *set)
{
	return set->n < PIDSET_LISTED ? set->n : PIDSET_LISTED;
}

#endif
