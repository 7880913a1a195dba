/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sightings: one for each DSO content seen at one path. Counts how many
 * mappings of live processes hold each, so that the span of one ends when its
 * last mapping goes. Knows neither processes nor events.
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
	struct sighting_key *scratch; /* what is looked up, in scratch_room bytes */
	size_t scratch_room;
	struct map_refs refs; /* what mappings hold and drop */
	struct lives *lives;  /* or NULL: not followed */
	uint64_t now_ns;      /* when lives begin */
};

void sightings__init(struct sightings *sightings);

/*
 * The sighting of @identity at @path, made when it is new: *@ret is its index.
 * Returns 0 or -ENOMEM.
 */
int sightings__get(struct sightings *sightings, const char *path,
	const struct perfstamp_identity *identity, bool kernel, uint64_t time_ns, uint32_t *ret);
/* The public view, without the fields that depend on the newest event's time. */
struct sighting *sightings__at(const struct sightings *sightings, uint32_t i);
/*
 * A process, or a cgroup or mount namespace (by its index in their registry), that maps it.
 * Returns 0 or -ENOMEM.
 */
int sightings__add_pid(struct sightings *sightings, uint32_t i, uint32_t pid);
int sightings__add_cgroup(struct sightings *sightings, uint32_t i, size_t index, uint64_t id);
int sightings__add_mnt_ns(struct sightings *sightings, uint32_t i, size_t index, uint64_t id);
void sightings__free(struct sightings *sightings);

#endif
