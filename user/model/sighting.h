/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sightings: one for each DSO content seen at one path. Counts the mappings of live processes
 * for each of them, so that its span ends with its last mapping. Knows neither processes nor
 * events.
 */
#ifndef PERFSTAMP_MODEL_SIGHTING_H
#define PERFSTAMP_MODEL_SIGHTING_H

#include "user/model/content.h"
#include "user/model/facts.h"
#include "user/base/hash.h"
#include "user/model/tables/idset.h"
#include "user/model/lives.h"
#include "user/model/tables/maps.h"
#include "user/model/tables/pidset.h"

#define SIGHTING_NONE MAPPING_NOTHING

struct sighting_entry;
struct sighting_key;

struct sightings {
	struct sighting_entry **v; /* in order of appearance */
	size_t n;
	size_t room;
	struct sighting_entry *by_key;
	struct contents contents;
	struct sighting_key *scratch; /* the key of a lookup, in scratch_room bytes */
	size_t scratch_room;
	struct map_refs refs; /* receives each added and each removed mapping */
	struct lives *lives;  /* or NULL: lives are not followed */
	uint64_t now_ns;      /* the time that lives begin at */
};

void sightings__init(struct sightings *sightings);

/*
 * Sets *@ret to the index of the sighting of @identity at @path, which is added if it is new.
 * Returns 0 or -ENOMEM.
 */
int sightings__get(struct sightings *sightings, const char *path,
	const struct perfstamp_identity *identity, bool kernel, uint64_t time_ns, uint32_t *ret);
/* Returns the public view. Fields that depend on the time of the newest event are not set. */
struct sighting *sightings__at(const struct sightings *sightings, uint32_t i);
/*
 * Add a process, or the cgroup or mount namespace (by its index in the registry) that maps a
 * sighting. Return 0 or -ENOMEM.
 */
int sightings__add_pid(struct sightings *sightings, uint32_t i, uint32_t pid);
int sightings__add_cgroup(struct sightings *sightings, uint32_t i, size_t index, uint64_t id);
int sightings__add_mnt_ns(struct sightings *sightings, uint32_t i, size_t index, uint64_t id);
void sightings__free(struct sightings *sightings);

#endif
