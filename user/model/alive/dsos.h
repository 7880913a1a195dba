/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of existing mappings: one entry for each content at a path. An entry is removed with
 * its last mapping. Knows neither processes nor events.
 */
#ifndef PERFSTAMP_MODEL_DSOS_H
#define PERFSTAMP_MODEL_DSOS_H

#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"
#include "user/model/tables/maps.h"

struct dso_entry;

/* By index. */
union dso_place {
	struct dso_entry *entry;
	uint32_t next_free;
};

struct dsos {
	union dso_place *v;
	size_t n; /* places */
	size_t room;
	size_t n_alive;
	size_t bytes;        /* memory of all entries */
	uint32_t free_place; /* the first free place, or MAPPING_NOTHING */
	struct dso_entry *by_key;
	struct map_refs refs; /* receives each added and each removed mapping */
};

void dsos__init(struct dsos *dsos);
void dsos__free(struct dsos *dsos);

/*
 * Sets *@ret to the index of the entry for @identity at @path with @flags (PERFSTAMP_MAP_*).
 * Creates an entry without mappings if there is none. Cgroup and mount namespace belong to the
 * process, so they do not distinguish entries. Returns 0 or -ENOMEM.
 */
int dsos__get(struct dsos *dsos, const char *path, uint16_t flags,
	const struct perfstamp_identity *identity, uint32_t *ret);
/* Removes entry @i if it has no mapping. For an entry that the caller looked up but did not map. */
void dsos__tidy(struct dsos *dsos, uint32_t i);

const char *dsos__path(const struct dsos *dsos, uint32_t i);
const struct perfstamp_identity *dsos__identity(const struct dsos *dsos, uint32_t i);
uint16_t dsos__flags(const struct dsos *dsos, uint32_t i);

#endif
