/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The spans of time in which each sighting was mapped, and the times at which one content took over
 * a path from another. Optional. Knows sightings, not processes.
 */
#ifndef PERFSTAMP_MODEL_LIVES_H
#define PERFSTAMP_MODEL_LIVES_H

#include "user/model/facts.h"

struct lives;

/* Returns 0 or -ENOMEM. */
int lives__new(struct lives **ret);
void lives__free(struct lives *lives);

/*
 * Reports the first mapping of sighting @i at @time_ns (0: before recording), or the end of its
 * last mapping.
 */
void lives__begin(struct lives *lives, uint32_t i, uint64_t time_ns);
void lives__end(struct lives *lives, uint32_t i, uint64_t time_ns);
/* Reports that sighting @i, which is mapped now, was already mapped at @time_ns. */
void lives__was_there(struct lives *lives, uint32_t i, uint64_t time_ns);

/*
 * Whether the content of @path can be replaced. This is false for the vDSO and for memory with the
 * name of a file (memfd_create, shmget, mmap of devices).
 */
bool lives__is_file(const char *path);
/*
 * Reports that @sighting was mapped at @time_ns in the mount namespace @mnt_ns (0: not known).
 * @snapshot: the mapping was found by a snapshot, so it may be older. The path of @sighting has to
 * stay valid.
 */
void lives__mapped(struct lives *lives, const struct sighting *sighting, uint32_t mnt_ns,
	uint64_t time_ns, bool snapshot);
/* Sets @ret to the lives of sighting @i. The pointers are valid until the next change. */
void lives__get(const struct lives *lives, uint32_t i, struct sighting_lives *ret);
/* Returns 0, or -ENOMEM if one of the above functions had no memory. */
int lives__error(const struct lives *lives);

#endif
