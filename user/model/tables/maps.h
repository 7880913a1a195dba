/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One address space: executable mappings, sorted, without overlap. Processes that forked from one
 * another share a table until one of them changes it. It knows a mapped content only as a number,
 * and notifies the owner of the content when a mapping of it is added or removed.
 */
#ifndef PERFSTAMP_MODEL_TABLES_MAPS_H
#define PERFSTAMP_MODEL_TABLES_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAPPING_NOTHING UINT32_MAX

/* Notifies the owner of contents. MAPPING_NOTHING is not reported. */
struct map_refs {
	void (*hold)(void *ctx, uint32_t content);
	void (*drop)(void *ctx, uint32_t content, uint64_t now_ns);
	void *ctx;
};

struct mapping {
	uint64_t start;
	uint64_t end; /* the address behind its last byte */
	uint64_t pgoff;
	uint32_t prot;
	uint32_t map_flags;
	uint32_t sighting; /* index of its content, set by the owner; or MAPPING_NOTHING */
	bool snapshot;     /* known only from a snapshot */
	bool late;         /* its identity is from a late record */
	bool data;         /* not executable */
	/* The reason in this record; the sighting has that of its first record. */
	uint8_t reason;
	uint64_t time_ns; /* the time at which it was made, if it is known; or 0 */
};

struct maps {
	size_t refs;
	size_t n;
	size_t room;
	struct mapping *v;
};

/* Functions with @slot change *@slot, where NULL is an empty table. */

/* Shares @maps (which may be NULL). */
struct maps *maps__share(struct maps *maps);
void maps__release(struct maps **slot, const struct map_refs *refs, uint64_t now_ns);
/* Adds @mapping, which replaces what it overlaps. Returns 0 or -ENOMEM. */
int maps__insert(struct maps **slot, const struct mapping *mapping, const struct map_refs *refs,
	uint64_t now_ns);
/* Removes [@start, @end). Returns 0 or -ENOMEM. */
int maps__remove(struct maps **slot, uint64_t start, uint64_t end, const struct map_refs *refs,
	uint64_t now_ns);
/* Returns the mapping that contains @addr, or NULL. Valid until the table changes. */
struct mapping *maps__find(const struct maps *maps, uint64_t addr);

#endif
