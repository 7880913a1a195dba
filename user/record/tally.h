/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the end summary tells, counted as records pass by. Pure. Its memory is
 * one entry for each DSO content and each cgroup.
 */
#ifndef PERFSTAMP_RECORD_TALLY_H
#define PERFSTAMP_RECORD_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"

struct tally {
	uint64_t maps;       /* executable mappings of user space */
	uint64_t identified; /* of these, with a build-id */
	uint64_t cookies;    /* of these, without a build-id but with a cookie */
	uint64_t unreadable; /* of these, with a file but neither */
	uint64_t completed;  /* of the identified, by user space */
	uint64_t dsos;       /* distinct contents */
	struct tally_entry *entries;
	struct tally_entry *cgroups;
};

void tally__init(struct tally *tally);
void tally__free(struct tally *tally);

/* A map record of user space. Returns 0 or -ENOMEM. */
int tally__map(struct tally *tally, const struct event_map *map);
/* Returns 1 the first time that it is asked for @cgroup_id, then 0; or -ENOMEM. */
int tally__new_cgroup(struct tally *tally, uint64_t cgroup_id);

#endif
