// SPDX-License-Identifier: GPL-2.0-only
/*
 * maps: see maps.h. A sorted array: a process has tens of mappings, and lookups for samples are far
 * more frequent than changes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/model/tables/maps.h"

static void hold(const struct map_refs *refs, uint32_t content)
{
	if (content != MAPPING_NOTHING)
		refs->hold(refs->ctx, content);
}

static void drop(const struct map_refs *refs, uint32_t content, uint64_t now_ns)
{
	if (content != MAPPING_NOTHING)
		refs->drop(refs->ctx, content, now_ns);
}

/* Returns the index of the first mapping that ends behind @addr. */
static size_t lower_bound(const struct maps *maps, uint64_t addr)
{
	size_t low = 0, high = maps->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (maps->v[mid].end <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

struct maps *maps__share(struct maps *maps)
{
	if (maps)
		maps->refs++;
	return maps;
}

void maps__release(struct maps **slot, const struct map_refs *refs, uint64_t now_ns)
{
	struct maps *maps = *slot;

	*slot = NULL;
	if (!maps || --maps->refs)
		return;
	for (size_t i = 0; i < maps->n; i++)
		drop(refs, maps->v[i].sighting, now_ns);
	free(maps->v);
	free(maps);
}

/* Makes the table unshared, with space for @more mappings. */
static int make_own(struct maps **slot, size_t more, const struct map_refs *refs)
{
	struct maps *maps = *slot;
	size_t n = maps ? maps->n : 0;
	size_t room = n + more;
	struct mapping *v;

	if (maps && maps->refs == 1)
		return array__reserve(&maps->v, &maps->room, room, sizeof(*v));
	room = room < 8 ? 8 : room;
	v = malloc(room * sizeof(*v));
	maps = calloc(1, sizeof(*maps));
	if (!v || !maps) {
		free(v);
		free(maps);
		return -ENOMEM;
	}
	if (n)
		memcpy(v, (*slot)->v, n * sizeof(*v));
	for (size_t i = 0; i < n; i++)
		hold(refs, v[i].sighting);
	*maps = (struct maps){.refs = 1, .n = n, .room = room, .v = v};
	if (*slot)
		(*slot)->refs--;
	*slot = maps;
	return 0;
}

/*
 * Replaces the @n_old mappings at @at by the @n_new mappings of @with. There has to be enough
 * space.
 */
static void splice(
	struct maps *maps, size_t at, size_t n_old, const struct mapping *with, size_t n_new)
{
	memmove(maps->v + at + n_new, maps->v + at + n_old,
		(maps->n - at - n_old) * sizeof(*maps->v));
	memcpy(maps->v + at, with, n_new * sizeof(*maps->v));
	maps->n = maps->n - n_old + n_new;
}

/*
 * Replaces or removes a range like the kernel: removes the mappings inside of it, and cuts those at
 * its edges.
 */
static int replace(struct maps **slot, uint64_t start, uint64_t end, const struct mapping *by,
	const struct map_refs *refs, uint64_t now_ns)
{
	/* The rest of the first mapping, the new one, the rest of the last. */
	struct mapping pieces[3];
	size_t n_pieces = 0, at, behind;
	struct maps *maps;
	int err;

	err = make_own(slot, 2, refs);
	if (err)
		return err;
	maps = *slot;
	at = lower_bound(maps, start);
	for (behind = at; behind < maps->n && maps->v[behind].start < end; behind++)
		;
	if (at < behind && maps->v[at].start < start) {
		pieces[n_pieces] = maps->v[at];
		pieces[n_pieces++].end = start;
	}
	if (by)
		pieces[n_pieces++] = *by;
	if (at < behind && maps->v[behind - 1].end > end) {
		pieces[n_pieces] = maps->v[behind - 1];
		pieces[n_pieces].pgoff += end - pieces[n_pieces].start;
		pieces[n_pieces++].start = end;
	}
	/*
	 * Count the new pieces before the old mappings are removed, so that their content does not
	 * become unmapped in between.
	 */
	for (size_t i = 0; i < n_pieces; i++)
		hold(refs, pieces[i].sighting);
	for (size_t i = at; i < behind; i++)
		drop(refs, maps->v[i].sighting, now_ns);
	splice(maps, at, behind - at, pieces, n_pieces);
	return 0;
}

int maps__insert(struct maps **slot, const struct mapping *mapping, const struct map_refs *refs,
	uint64_t now_ns)
{
	if (mapping->start >= mapping->end)
		return 0;
	return replace(slot, mapping->start, mapping->end, mapping, refs, now_ns);
}

int maps__remove(struct maps **slot, uint64_t start, uint64_t end, const struct map_refs *refs,
	uint64_t now_ns)
{
	size_t at;

	if (!*slot || start >= end)
		return 0;
	at = lower_bound(*slot, start);
	if (at == (*slot)->n || (*slot)->v[at].start >= end)
		return 0; /* nothing to remove: a shared table remains shared */
	return replace(slot, start, end, NULL, refs, now_ns);
}

struct mapping *maps__find(const struct maps *maps, uint64_t addr)
{
	size_t at;

	if (!maps)
		return NULL;
	at = lower_bound(maps, addr);
	return at < maps->n && maps->v[at].start <= addr ? &maps->v[at] : NULL;
}
