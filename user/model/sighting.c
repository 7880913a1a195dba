// SPDX-License-Identifier: GPL-2.0-only
/*
 * sightings: see sighting.h.
 *
 * Two mappings belong to one sighting if they have the same path and the same content. Contents are
 * compared by build-id *and* cookie, because different programs can have the same build-id. If
 * there is neither, they are compared by device, inode, generation and size of the file. The source
 * of an identity is not compared.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/model/sighting.h"

/* Compared as bytes, so every byte of it is written. */
struct sighting_key {
	uint64_t ino;
	uint64_t ino_generation;
	uint64_t file_size;
	uint32_t dev_major;
	uint32_t dev_minor;
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX];
	uint8_t cookie[PERFSTAMP_COOKIE_MAX];
	uint8_t build_id_size;
	uint8_t cookie_size;
	uint8_t kernel;
	uint8_t reserved[5];
	char path[]; /* with its NUL */
};

struct sighting_entry {
	struct sighting sighting;
	struct pidset pids;
	size_t held;                /* mappings in the tables of live processes */
	const struct shared_id *id; /* or NULL */
	struct idset cgroups;
	struct idset mnt_namespaces;
	UT_hash_handle hh;
	struct sighting_key key; /* last: its path has no fixed length */
};

static uint8_t at_most(uint8_t size, uint8_t max)
{
	return size < max ? size : max;
}

static void key__fill(struct sighting_key *key, const char *path, size_t path_size,
	const struct perfstamp_identity *identity, bool kernel)
{
	memset(key, 0, sizeof(*key));
	key->kernel = kernel;
	key->build_id_size = at_most(identity->build_id_size, PERFSTAMP_BUILD_ID_MAX);
	key->cookie_size = at_most(identity->cookie_size, PERFSTAMP_COOKIE_MAX);
	memcpy(key->build_id, identity->build_id, key->build_id_size);
	memcpy(key->cookie, identity->cookie, key->cookie_size);
	if (!key->build_id_size && !key->cookie_size) {
		key->dev_major = identity->dev_major;
		key->dev_minor = identity->dev_minor;
		key->ino = identity->ino;
		key->ino_generation = identity->ino_generation;
		key->file_size = identity->file_size;
	}
	memcpy(key->path, path, path_size);
}

static struct sighting_key *scratch_key(struct sightings *sightings, size_t size)
{
	if (array__reserve(&sightings->scratch, &sightings->scratch_room, size, 1))
		return NULL;
	return sightings->scratch;
}

static int add(struct sightings *sightings, const struct sighting_key *key, size_t key_size,
	const struct perfstamp_identity *identity, uint64_t time_ns)
{
	size_t path_size = key_size - sizeof(*key);
	struct sighting_entry *entry = calloc(1, sizeof(*entry) + path_size);

	if (!entry)
		return -ENOMEM;
	memcpy(&entry->key, key, sizeof(*key));
	memcpy(entry->key.path, key->path, path_size);
	entry->sighting.identity = *identity;
	entry->sighting.identity.build_id_size = key->build_id_size;
	entry->sighting.identity.cookie_size = key->cookie_size;
	if (array__reserve_numbered(
		    &sightings->v, &sightings->room, sightings->n + 1, sizeof(*sightings->v)) ||
		contents__add(&sightings->contents, &entry->sighting.identity, &entry->id,
			&entry->sighting.content))
		goto enomem;
	HASH_ADD_KEYPTR(hh, sightings->by_key, &entry->key, key_size, entry);
	if (!hash__added(entry))
		goto enomem;
	entry->sighting.index = sightings->n;
	entry->sighting.path = entry->key.path;
	entry->sighting.kernel = key->kernel;
	entry->sighting.first_ns = time_ns;
	entry->sighting.last_ns = time_ns;
	sightings->v[sightings->n++] = entry;
	return 0;
enomem:
	free(entry);
	return -ENOMEM;
}

int sightings__get(struct sightings *sightings, const char *path,
	const struct perfstamp_identity *identity, bool kernel, uint64_t time_ns, uint32_t *ret)
{
	size_t path_size = strlen(path) + 1;
	size_t key_size = sizeof(struct sighting_key) + path_size;
	struct sighting_key *key = scratch_key(sightings, key_size);
	struct sighting_entry *known;
	int err;

	if (!key)
		return -ENOMEM;
	key__fill(key, path, path_size, identity, kernel);
	HASH_FIND(hh, sightings->by_key, key, key_size, known);
	if (known) {
		*ret = known->sighting.index;
		return 0;
	}
	err = add(sightings, key, key_size, identity, time_ns);
	if (!err)
		*ret = sightings->n - 1;
	return err;
}

struct sighting *sightings__at(const struct sightings *sightings, uint32_t i)
{
	struct sighting_entry *entry = sightings->v[i];

	entry->sighting.alive = entry->held > 0;
	entry->sighting.n_contents = entry->id ? entry->id->n_contents : 0;
	entry->sighting.n_processes = entry->pids.n;
	entry->sighting.n_pids = pidset__n_listed(&entry->pids);
	entry->sighting.pids = entry->pids.list;
	entry->sighting.n_cgroups = entry->cgroups.n;
	entry->sighting.cgroup_ids = entry->cgroups.ids;
	entry->sighting.n_mnt_ns = entry->mnt_namespaces.n;
	entry->sighting.mnt_ns = entry->mnt_namespaces.ids;
	return &entry->sighting;
}

static void hold(void *ctx, uint32_t i)
{
	struct sightings *sightings = ctx;

	struct sighting_entry *entry = sightings->v[i];

	if (!entry->held++ && sightings->lives)
		lives__begin(sightings->lives, i, sightings->now_ns);
}

static void drop(void *ctx, uint32_t i, uint64_t now_ns)
{
	struct sightings *sightings = ctx;

	if (--sightings->v[i]->held)
		return;
	sightings->v[i]->sighting.last_ns = now_ns;
	if (sightings->lives)
		lives__end(sightings->lives, i, now_ns);
}

void sightings__init(struct sightings *sightings)
{
	memset(sightings, 0, sizeof(*sightings));
	sightings->refs = (struct map_refs){hold, drop, sightings};
}

int sightings__add_pid(struct sightings *sightings, uint32_t i, uint32_t pid)
{
	return pidset__add(&sightings->v[i]->pids, pid);
}

int sightings__add_cgroup(struct sightings *sightings, uint32_t i, size_t index, uint64_t id)
{
	return idset__add(&sightings->v[i]->cgroups, index, id);
}

int sightings__add_mnt_ns(struct sightings *sightings, uint32_t i, size_t index, uint64_t id)
{
	return idset__add(&sightings->v[i]->mnt_namespaces, index, id);
}

void sightings__free(struct sightings *sightings)
{
	HASH_CLEAR(hh, sightings->by_key);
	for (size_t i = 0; i < sightings->n; i++) {
		pidset__free(&sightings->v[i]->pids);
		idset__free(&sightings->v[i]->cgroups);
		idset__free(&sightings->v[i]->mnt_namespaces);
		free(sightings->v[i]);
	}
	free(sightings->v);
	free(sightings->scratch);
	contents__free(&sightings->contents);
	lives__free(sightings->lives);
	memset(sightings, 0, sizeof(*sightings));
}
