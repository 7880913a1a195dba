/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Map records that wait for their second one: the kernel side is having the content
 * read from a disk (PERFSTAMP_MAP_PENDING), and writes what it was in a record with the
 * same process, time and address (PERFSTAMP_MAP_AGAIN). They wait for one round: a map
 * record may not be later than that.
 */
#ifndef PERFSTAMP_RECORD_PENDING_H
#define PERFSTAMP_RECORD_PENDING_H

#include <stddef.h>
#include <stdint.h>

#include "perfstamp/record.h"

struct pending_map;

/* All zero is empty. */
struct pending_maps {
	struct pending_map *head;
	size_t n;
};

/* Keeps a copy of @map. Returns 0, -ENOMEM, or -ENOSPC where very many are kept. */
int pending_maps__add(struct pending_maps *pending, const struct perfstamp_map *map);

/*
 * Takes out the record that @again belongs to, with the identity that @again has; where
 * another file has come to be mapped there since, with its own; where the file was, or may
 * have been, written to in between (event/witness.h), with none, for the reason CHANGING.
 * NULL if there is no such record (any more). The caller frees it.
 */
struct perfstamp_map *pending_maps__take(
	struct pending_maps *pending, const struct perfstamp_map *again);

/*
 * Takes out one of before @before_ns (CLOCK_MONOTONIC); NULL when there is none. The
 * caller frees it.
 */
struct perfstamp_map *pending_maps__take_old(struct pending_maps *pending, uint64_t before_ns);

void pending_maps__free(struct pending_maps *pending);

#endif
