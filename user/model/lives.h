/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When each sighting was mapped, as spans of time, and when one content took over a path
 * from another. Optional. Knows sightings, not processes.
 */
#ifndef PERFSTAMP_MODEL_LIVES_H
#define PERFSTAMP_MODEL_LIVES_H

#include "user/model/facts.h"

struct lives;

/* Returns 0 or -ENOMEM. */
int lives__new(struct lives **ret);
void lives__free(struct lives *lives);

/* The first mapping of sighting @i at @time_ns (0: before recording), or the end of its last. */
void lives__begin(struct lives *lives, uint32_t i, uint64_t time_ns);
void lives__end(struct lives *lives, uint32_t i, uint64_t time_ns);
/* Sighting @i, which is mapped now, was already mapped at @time_ns. */
void lives__was_there(struct lives *lives, uint32_t i, uint64_t time_ns);

/*
 * Whether @path is one that can get other content: not memory that has a name like a file's
 * (memfd_create, shmget, mmap of devices), nor the vDSO.
 */
bool lives__is_file(const char *path);
/*
 * @sighting was mapped at @time_ns in the mount namespace @mnt_ns (0: unknown). @snapshot:
 * the mapping was found, so that it may be older. The path of @sighting must stay valid.
 */
void lives__mapped(struct lives *lives, const struct sighting *sighting, uint32_t mnt_ns,
	uint64_t time_ns, bool snapshot);
/* What is known of sighting @i. The pointers are valid until the next change. */
void lives__get(const struct lives *lives, uint32_t i, struct sighting_lives *ret);
/* Returns 0, or -ENOMEM if one of the above found no memory. */
int lives__error(const struct lives *lives);

#endif
