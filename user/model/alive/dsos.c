// SPDX-License-Identifier: GPL-2.0-only
/*
 * dsos: see dsos.h. Places of removed entries are reused, so the table is as large as the
 * largest number of entries at one time.
 */
#include "user/model/alive/dsos.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/hash.h"

/* Compared as bytes, so every byte of it is written. */
struct dso_key {
	struct perfstamp_identity identity;
	uint16_t flags;
	uint8_t reserved[6];
	char path[]; /* with its NUL */
};

struct dso_entry {
	size_t held;
	size_t size; /* bytes of the whole entry */
	uint32_t index;
	UT_hash_handle hh;
	struct dso_key key; /* last: its path has no fixed length */
};

static void give_back(struct dsos *dsos, uint32_t i)
{
	dsos->v[i].next_free = dsos->free_place;
	dsos->free_place = i;
}

static void forget(struct dsos *dsos, struct dso_entry *entry)
{
	uint32_t i = entry->index;

	HASH_DEL(dsos->by_key, entry);
	dsos->bytes -= entry->size;
	dsos->n_alive--;
	free(entry);
	give_back(dsos, i);
}

static void hold(void *ctx, uint32_t i)
{
	struct dsos *dsos = ctx;

	dsos->v[i].entry->held++;
}

static void drop(void *ctx, uint32_t i, uint64_t now_ns)
{
	struct dsos *dsos = ctx;

	(void)now_ns;
	if (!--dsos->v[i].entry->held)
		forget(dsos, dsos->v[i].entry);
}

void dsos__tidy(struct dsos *dsos, uint32_t i)
{
	if (!dsos->v[i].entry->held)
		forget(dsos, dsos->v[i].entry);
}

void dsos__init(struct dsos *dsos)
{
	memset(dsos, 0, sizeof(*dsos));
	dsos->free_place = MAPPING_NOTHING;
	dsos->refs = (struct map_refs){hold, drop, dsos};
}

void dsos__free(struct dsos *dsos)
{
	hash__free(dsos->by_key);
	free(dsos->v);
	dsos__init(dsos);
}

/* Sets *@ret to a place for a new entry. Returns 0 or -ENOMEM. */
static int take_place(struct dsos *dsos, uint32_t *ret)
{
	if (dsos->free_place != MAPPING_NOTHING) {
		*ret = dsos->free_place;
		dsos->free_place = dsos->v[*ret].next_free;
		return 0;
	}
	if (array__reserve_numbered(&dsos->v, &dsos->room, dsos->n + 1, sizeof(*dsos->v)))
		return -ENOMEM;
	*ret = dsos->n++;
	return 0;
}

static struct dso_entry *make(const char *path, size_t path_size, uint16_t flags,
	const struct perfstamp_identity *identity)
{
	size_t size = sizeof(struct dso_entry) + path_size;
	struct dso_entry *entry = calloc(1, size);

	if (!entry)
		return NULL;
	entry->size = size;
	entry->key.identity = *identity;
	entry->key.identity.cgroup_id = 0;
	entry->key.identity.mnt_ns = 0;
	entry->key.flags = flags;
	memcpy(entry->key.path, path, path_size);
	return entry;
}

int dsos__get(struct dsos *dsos, const char *path, uint16_t flags,
	const struct perfstamp_identity *identity, uint32_t *ret)
{
	size_t path_size = strlen(path) + 1, key_size = sizeof(struct dso_key) + path_size;
	struct dso_entry *entry = make(path, path_size, flags, identity), *known;

	if (!entry)
		return -ENOMEM;
	HASH_FIND(hh, dsos->by_key, &entry->key, key_size, known);
	if (known) {
		free(entry);
		*ret = known->index;
		return 0;
	}
	if (take_place(dsos, &entry->index))
		goto enomem;
	dsos->v[entry->index].entry = entry;
	dsos->n_alive++;
	dsos->bytes += entry->size;
	HASH_ADD_KEYPTR(hh, dsos->by_key, &entry->key, key_size, entry);
	if (!hash__added(entry))
		goto place;
	*ret = entry->index;
	return 0;
place:
	dsos->n_alive--;
	dsos->bytes -= entry->size;
	give_back(dsos, entry->index);
enomem:
	free(entry);
	return -ENOMEM;
}

const char *dsos__path(const struct dsos *dsos, uint32_t i)
{
	return dsos->v[i].entry->key.path;
}

const struct perfstamp_identity *dsos__identity(const struct dsos *dsos, uint32_t i)
{
	return &dsos->v[i].entry->key.identity;
}

uint16_t dsos__flags(const struct dsos *dsos, uint32_t i)
{
	return dsos->v[i].entry->key.flags;
}
