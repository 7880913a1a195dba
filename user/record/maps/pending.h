/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Map records that wait for their second record. The kernel side is reading the content from a disk
 * (PERFSTAMP_MAP_PENDING), and then writes the identity in a record with the same process, time and
 * address (PERFSTAMP_MAP_AGAIN). Like all map records, they wait for at most one round.
 */
#ifndef PERFSTAMP_RECORD_PENDING_H
#define PERFSTAMP_RECORD_PENDING_H

#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"

struct pending_map;

/* All zero: empty. */
struct pending_maps {
	struct pending_map *head;
	size_t n;
};

/* Keeps a copy of @map. Returns 0, -ENOMEM, or -ENOSPC if too many are kept. */
int pending_maps__add(struct pending_maps *pending, const struct perfstamp_map *map);

/*
 * Removes and returns the record to which @again belongs, with the identity in @again. If another
 * file has been mapped there meanwhile, the record keeps its own identity. If the file was or may
 * have been written to in between (event/witness.h), the record has no identity, with the reason
 * CHANGING. NULL if there is no such record. The caller frees it.
 */
struct perfstamp_map *pending_maps__take(
	struct pending_maps *pending, const struct perfstamp_map *again);

/*
 * Removes and returns a record that is older than @before_ns (CLOCK_MONOTONIC); NULL if there is
 * none. The caller frees it.
 */
struct perfstamp_map *pending_maps__take_old(struct pending_maps *pending, uint64_t before_ns);

void pending_maps__free(struct pending_maps *pending);

#endif
