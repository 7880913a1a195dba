// SPDX-License-Identifier: GPL-2.0-only
/* See pending.h. */
#include "user/record/maps/pending.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "user/event/identity.h"
#include "user/event/witness.h"
#include "user/source/machine/clock.h"

#define PENDING_MAX 4096

/* The newest is first, because a second record usually belongs to the newest one of its process. */
struct pending_map {
	struct pending_map *next;
	struct perfstamp_map *map;
};

int pending_maps__add(struct pending_maps *pending, const struct perfstamp_map *map)
{
	struct pending_map *entry;

	if (pending->n >= PENDING_MAX)
		return -ENOSPC;
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	entry->map = malloc(map->record.size);
	if (!entry->map) {
		free(entry);
		return -ENOMEM;
	}
	memcpy(entry->map, map, map->record.size);
	entry->map->record.flags &= ~PERFSTAMP_MAP_PENDING;
	entry->next = pending->head;
	pending->head = entry;
	pending->n++;
	return 0;
}

static struct perfstamp_map *take_out(struct pending_maps *pending, struct pending_map **link)
{
	struct pending_map *entry = *link;
	struct perfstamp_map *map = entry->map;

	*link = entry->next;
	pending->n--;
	free(entry);
	return map;
}

/* Cgroup and mount namespace were not read again, so they are kept. */
static void take_identity(struct perfstamp_identity *to, const struct perfstamp_identity *from)
{
	to->file_size = from->file_size;
	to->source = from->source;
	to->reason = from->reason;
	to->build_id_size = from->build_id_size;
	to->cookie_size = from->cookie_size;
	memcpy(to->build_id, from->build_id, sizeof(to->build_id));
	memcpy(to->cookie, from->cookie, sizeof(to->cookie));
}

static bool is_unwritten(const struct perfstamp_map *map, const struct perfstamp_map *again)
{
	struct witness_clock clock = {clock__coarse_offset(), clock__now(CLOCK_REALTIME)};

	return witness__compare(&map->witness, &again->witness, false, &clock) ==
	       WITNESSED_UNWRITTEN;
}

static void take_no_identity(struct perfstamp_identity *identity)
{
	memset(identity->build_id, 0, sizeof(identity->build_id));
	memset(identity->cookie, 0, sizeof(identity->cookie));
	identity->build_id_size = identity->cookie_size = 0;
	identity->source = PERFSTAMP_SOURCE_NONE;
	identity->reason = PERFSTAMP_REASON_CHANGING;
}

struct perfstamp_map *pending_maps__take(
	struct pending_maps *pending, const struct perfstamp_map *again)
{
	struct pending_map **link;
	struct perfstamp_map *map;

	for (link = &pending->head; *link; link = &(*link)->next) {
		map = (*link)->map;
		if (map->record.time_ns != again->record.time_ns ||
			map->record.pid != again->record.pid ||
			map->record.tid != again->record.tid || map->addr != again->addr)
			continue;
		if (identity__same_inode(&map->identity, &again->identity)) {
			take_identity(&map->identity, &again->identity);
			if (!is_unwritten(map, again))
				take_no_identity(&map->identity);
		}
		return take_out(pending, link);
	}
	return NULL;
}

struct perfstamp_map *pending_maps__take_old(struct pending_maps *pending, uint64_t before_ns)
{
	struct pending_map **link;

	for (link = &pending->head; *link; link = &(*link)->next)
		if ((*link)->map->record.time_ns < before_ns)
			return take_out(pending, link);
	return NULL;
}

void pending_maps__free(struct pending_maps *pending)
{
	struct perfstamp_map *map;

	while ((map = pending_maps__take_old(pending, UINT64_MAX)))
		free(map);
}
