// SPDX-License-Identifier: GPL-2.0-only
/* See tally.h. */
#include "user/record/tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* What tells one content from another; padding is zeroed, since it is hashed. */
struct tally_key {
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX];
	uint8_t cookie[PERFSTAMP_COOKIE_MAX];
	uint64_t ino; /* only where there is neither */
	uint64_t dev;
};

struct tally_entry {
	struct tally_key key;
	UT_hash_handle hh;
};

void tally__init(struct tally *tally)
{
	memset(tally, 0, sizeof(*tally));
}

static void free_entries(struct tally_entry **entries)
{
	struct tally_entry *entry, *next;

	HASH_ITER (hh, *entries, entry, next) {
		HASH_DEL(*entries, entry);
		free(entry);
	}
}

void tally__free(struct tally *tally)
{
	free_entries(&tally->entries);
	free_entries(&tally->cgroups);
}

/* Returns 1 if @key was added, 0 if it was there, or -ENOMEM. */
static int add(struct tally_entry **entries, const struct tally_key *key)
{
	struct tally_entry *entry;

	HASH_FIND(hh, *entries, key, sizeof(*key), entry);
	if (entry)
		return 0;
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	entry->key = *key;
	HASH_ADD(hh, *entries, key, sizeof(entry->key), entry);
	return 1;
}

int tally__map(struct tally *tally, const struct event_map *map)
{
	const struct perfstamp_identity *id = &map->identity;
	struct tally_key key = {0};
	int code;

	if (map->kernel || !map->executable)
		return 0;
	tally->maps++;
	if (id->build_id_size) {
		tally->identified++;
		tally->completed += id->source == PERFSTAMP_SOURCE_USER;
	} else if (id->cookie_size) {
		tally->cookies++;
	} else if (id->reason == PERFSTAMP_REASON_ANONYMOUS) {
		return 0;
	} else {
		tally->unreadable++;
		key.ino = id->ino;
		key.dev = (uint64_t)id->dev_major << 32 | id->dev_minor;
	}
	memcpy(key.build_id, id->build_id, id->build_id_size);
	memcpy(key.cookie, id->cookie, id->cookie_size);
	code = add(&tally->entries, &key);
	if (code < 0)
		return code;
	tally->dsos += code;
	return 0;
}

int tally__new_cgroup(struct tally *tally, uint64_t cgroup_id)
{
	struct tally_key key = {.ino = cgroup_id};

	return add(&tally->cgroups, &key);
}
