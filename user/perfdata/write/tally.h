/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts executable mappings of user space from their records, by kind of identity, and counts
 * distinct contents. Pure. A recording may run for weeks: the memory is about 16 bytes for each
 * content, and constant for cgroups.
 */
#ifndef PERFSTAMP_PERFDATA_TALLY_H
#define PERFSTAMP_PERFDATA_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"
#include "user/perfdata/features/counters.h"

/* Cache of cgroups: number of sets, and of ways in each set. */
#define TALLY_CGROUP_PLACES 1024
#define TALLY_CGROUP_WAYS 4

struct tally {
	struct counters *counters;
	struct tally_content *contents;
	size_t n_contents;
	size_t room; /* room for contents; a power of two */
	uint64_t cgroups[TALLY_CGROUP_PLACES][TALLY_CGROUP_WAYS];
};

/* Counts in @counters, which must outlive @tally. */
void tally__init(struct tally *tally, struct counters *counters);
void tally__free(struct tally *tally);

/* Returns a hash of the key that distinguishes contents. */
uint64_t tally__content(const struct perfstamp_identity *identity);
/* Counts a map record of user space. Returns 0 or -ENOMEM. */
int tally__map(struct tally *tally, const struct event_map *map);
/*
 * Counts a second record of a mapping, which replaces the first. The first had the identity
 * @before. Returns 0 or -ENOMEM.
 */
int tally__late(
	struct tally *tally, const struct event_map *map, const struct perfstamp_identity *before);
/* Resets the counts for another file, also those in @counters. */
void tally__begin_file(struct tally *tally);
/*
 * Whether @cgroup_id is new. Also true if it was evicted from the cache: it is then written again,
 * which does no harm.
 */
bool tally__new_cgroup(struct tally *tally, uint64_t cgroup_id);
/* Undoes tally__new_cgroup(), because the cgroup was not written. */
void tally__forget_cgroup(struct tally *tally, uint64_t cgroup_id);

#endif
