/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of ids of cgroups or namespaces. Each id has a small index in a registry. If the bit at
 * this index is set, the id is in the set. Does not know the meaning of the ids.
 */
#ifndef PERFSTAMP_MODEL_TABLES_IDSET_H
#define PERFSTAMP_MODEL_TABLES_IDSET_H

#include <stddef.h>
#include <stdint.h>

struct idset {
	uint64_t *ids; /* in order of appearance */
	size_t n;
	uint8_t *bits; /* by index */
	size_t n_bytes;
};

/* Adds @id, which has @index. Returns 0 or -ENOMEM. */
int idset__add(struct idset *set, size_t index, uint64_t id);
void idset__free(struct idset *set);

#endif
