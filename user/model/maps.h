/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One address space: executable mappings, sorted, without overlap. A table is
 * shared by the processes that forked from one another until one of them
 * changes it. Knows of sightings only that mappings hold them.
 */
#ifndef PERFSTAMP_MODEL_MAPS_H
#define PERFSTAMP_MODEL_MAPS_H

#include "user/model/sighting.h"

struct mapping {
	uint64_t start;
	uint64_t end; /* the first byte behind it */
	uint64_t pgoff;
	uint32_t prot;
	uint32_t map_flags;
	uint32_t sighting; /* index, or SIGHTING_NONE */
	bool snapshot;     /* known only from a snapshot so far */
	uint8_t reason;    /* of its record; its sighting has that of the first */
};

struct maps {
	size_t refs;
	size_t n;
	size_t room;
	struct mapping *v;
};

/* Every function that takes @slot works on *@slot, where NULL is an empty table. */

/* Shares @maps (which may be NULL). */
struct maps *maps__share(struct maps *maps);
void maps__release(struct maps **slot, struct sightings *sightings, uint64_t now_ns);
/* Puts @mapping in, replacing what it overlaps. Returns 0 or -ENOMEM. */
int maps__insert(struct maps **slot, const struct mapping *mapping, struct sightings *sightings,
	uint64_t now_ns);
/* Takes [@start, @end) out. Returns 0 or -ENOMEM. */
int maps__remove(struct maps **slot, uint64_t start, uint64_t end, struct sightings *sightings,
	uint64_t now_ns);
/* The mapping that holds @addr, or NULL; valid until the table changes. */
struct mapping *maps__find(const struct maps *maps, uint64_t addr);

#endif
