// SPDX-License-Identifier: GPL-2.0-only
/*
 * See tally.h. Only a hash of each content is kept. Two contents with the same hash, which has a
 * probability of one in 2^64, count as one.
 */
#include "user/perfdata/write/tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_LEAST 256

struct tally_content {
	uint64_t hash; /* 0: the place is free */
	uint64_t maps; /* 0 if its mappings turned out to be of another content */
};

/* The key of a content. Padding is zeroed, because it is hashed. */
struct content_key {
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX];
	uint8_t cookie[PERFSTAMP_COOKIE_MAX];
	uint64_t ino; /* set only if there is neither */
	uint64_t dev;
};

void tally__init(struct tally *tally, struct counters *counters)
{
	memset(tally, 0, sizeof(*tally));
	tally->counters = counters;
}

void tally__free(struct tally *tally)
{
	free(tally->contents);
}

void tally__begin_file(struct tally *tally)
{
	struct counters *counters = tally->counters;

	tally__free(tally);
	tally__init(tally, counters);
	counters__begin_file(counters);
}

/* The finalizer of MurmurHash3. */
static uint64_t mix(uint64_t word)
{
	word = (word ^ word >> 33) * 0xff51afd7ed558ccdull;
	word = (word ^ word >> 33) * 0xc4ceb9fe1a85ec53ull;
	return word ^ word >> 33;
}

uint64_t tally__content(const struct perfstamp_identity *id)
{
	uint64_t words[sizeof(struct content_key) / sizeof(uint64_t)], hash = 0;
	struct content_key key;
	size_t i;

	memset(&key, 0, sizeof(key));
	memcpy(key.build_id, id->build_id, id->build_id_size);
	memcpy(key.cookie, id->cookie, id->cookie_size);
	if (!id->build_id_size && !id->cookie_size) {
		key.ino = id->ino;
		key.dev = (uint64_t)id->dev_major << 32 | id->dev_minor;
	}
	memcpy(words, &key, sizeof(words));
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		hash = mix(hash + words[i] + i);
	return hash ? hash : 1;
}

/* Finds the place of @hash, or a free one. There is always one. */
static struct tally_content *find(struct tally_content *contents, size_t room, uint64_t hash)
{
	size_t at = hash & (room - 1);

	while (contents[at].hash && contents[at].hash != hash)
		at = (at + 1) & (room - 1);
	return &contents[at];
}

static int grow(struct tally *tally)
{
	size_t room = tally->room ? 2 * tally->room : ROOM_LEAST, i;
	struct tally_content *contents;

	if (tally->n_contents < tally->room / 4 * 3)
		return 0;
	contents = calloc(room, sizeof(*contents));
	if (!contents)
		return -ENOMEM;
	for (i = 0; i < tally->room; i++)
		if (tally->contents[i].hash)
			*find(contents, room, tally->contents[i].hash) = tally->contents[i];
	free(tally->contents);
	tally->contents = contents;
	tally->room = room;
	return 0;
}

static int add_content(struct tally *tally, const struct perfstamp_identity *id)
{
	uint64_t hash = tally__content(id);
	struct tally_content *content;
	int code;

	code = grow(tally);
	if (code)
		return code;
	content = find(tally->contents, tally->room, hash);
	tally->n_contents += !content->hash;
	content->hash = hash;
	tally->counters->n[COUNTER_DSOS] += !content->maps++;
	return 0;
}

static void remove_content(struct tally *tally, const struct perfstamp_identity *id)
{
	struct tally_content *content;

	if (!tally->room)
		return;
	content = find(tally->contents, tally->room, tally__content(id));
	if (content->maps)
		tally->counters->n[COUNTER_DSOS] -= !--content->maps;
}

/* Returns the counter for mappings with such an identity. */
static enum counter kind_of(const struct perfstamp_identity *id)
{
	if (id->build_id_size)
		return COUNTER_IDENTIFIED;
	if (id->cookie_size)
		return COUNTER_COOKIES;
	return id->reason == PERFSTAMP_REASON_ANONYMOUS ? COUNTER_ANONYMOUS : COUNTER_UNREADABLE;
}

int tally__map(struct tally *tally, const struct event_map *map)
{
	const struct perfstamp_identity *id = &map->identity;
	enum counter kind = kind_of(id);
	uint64_t *n = tally->counters->n;

	if (map->kernel || !map->executable)
		return 0;
	n[COUNTER_MAPS]++;
	n[kind]++;
	n[COUNTER_COMPLETED] += kind == COUNTER_IDENTIFIED && id->source == PERFSTAMP_SOURCE_USER;
	return kind == COUNTER_ANONYMOUS ? 0 : add_content(tally, id);
}

int tally__late(
	struct tally *tally, const struct event_map *map, const struct perfstamp_identity *before)
{
	uint64_t *n = tally->counters->n;

	if (map->kernel || !map->executable)
		return 0;
	/* A file that was begun meanwhile has one mapping for all records that wait for its
	 * identity. */
	if (!n[kind_of(before)])
		return 0;
	n[COUNTER_MAPS]--;
	n[kind_of(before)]--;
	if (kind_of(before) != COUNTER_ANONYMOUS)
		remove_content(tally, before);
	n[COUNTER_LATE] += map->identity.build_id_size || map->identity.cookie_size;
	return tally__map(tally, map);
}

bool tally__new_cgroup(struct tally *tally, uint64_t cgroup_id)
{
	uint64_t *ways = tally->cgroups[mix(cgroup_id) % TALLY_CGROUP_PLACES];
	size_t i;

	/* The entry that is used moves to the front; a new one displaces the last one. */
	for (i = 0; i < TALLY_CGROUP_WAYS - 1 && ways[i] != cgroup_id; i++)
		;
	if (ways[i] == cgroup_id) {
		memmove(ways + 1, ways, i * sizeof(*ways));
		ways[0] = cgroup_id;
		return false;
	}
	memmove(ways + 1, ways, i * sizeof(*ways));
	ways[0] = cgroup_id;
	return true;
}

void tally__forget_cgroup(struct tally *tally, uint64_t cgroup_id)
{
	uint64_t *ways = tally->cgroups[mix(cgroup_id) % TALLY_CGROUP_PLACES];

	for (size_t i = 0; i < TALLY_CGROUP_WAYS; i++)
		if (ways[i] == cgroup_id)
			ways[i] = 0;
}
