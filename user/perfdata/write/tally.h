/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts mappings from their records: executable ones of user space, by kind of identity,
 * and distinct contents. Pure. Its memory is 16 bytes and some room for each DSO content,
 * and the same for all cgroups however many there were: a recording may run for weeks.
 */
#ifndef PERFSTAMP_PERFDATA_TALLY_H
#define PERFSTAMP_PERFDATA_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"
#include "user/perfdata/features/counters.h"

/* Cache of cgroups: the number of ways of each set. */
#define TALLY_CGROUP_PLACES 1024
#define TALLY_CGROUP_WAYS 4

struct tally {
	struct counters *counters;
	struct tally_content *contents;
	size_t n_contents;
	size_t room; /* of contents; a power of two */
	uint64_t cgroups[TALLY_CGROUP_PLACES][TALLY_CGROUP_WAYS];
};

/* @counters, which outlives it, is what it counts in. */
void tally__init(struct tally *tally, struct counters *counters);
void tally__free(struct tally *tally);

/* A hash of what distinguishes one content from another. */
uint64_t tally__content(const struct perfstamp_identity *identity);
/* A map record of user space. Returns 0 or -ENOMEM. */
int tally__map(struct tally *tally, const struct event_map *map);
/*
 * Counts a second record of a mapping, which completes the first, that had the identity
 * @before. Returns 0 or -ENOMEM.
 */
int tally__late(
	struct tally *tally, const struct event_map *map, const struct perfstamp_identity *before);
/* Resets the counts for another file, and those in @counters. */
void tally__begin_file(struct tally *tally);
/*
 * Whether @cgroup_id is new, or was evicted from the cache: it may then be written again,
 * which does no harm.
 */
bool tally__new_cgroup(struct tally *tally, uint64_t cgroup_id);
/* Undoes the above, because the cgroup was not written. */
void tally__forget_cgroup(struct tally *tally, uint64_t cgroup_id);

#endif
