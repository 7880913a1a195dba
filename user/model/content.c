// SPDX-License-Identifier: GPL-2.0-only
/*
 * contents: see content.h. Counts different cookies. An identity without a cookie is not counted,
 * so the count does not depend on the order of identities.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/model/content.h"
#include "user/base/hash.h"

/* Compared as bytes, so unused bytes are 0. */
struct content_key {
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX];
	uint8_t cookie[PERFSTAMP_COOKIE_MAX];
	uint8_t build_id_size;
	uint8_t cookie_size;
};

struct id_entry {
	struct shared_id id;
	struct content_key key; /* .cookie is not set */
	UT_hash_handle hh;
};

struct content {
	uint32_t number;
	struct content_key key;
	UT_hash_handle hh;
};

static struct id_entry *get_id(struct contents *contents, const struct content_key *key)
{
	struct id_entry *entry;

	HASH_FIND(hh, contents->by_id, key, sizeof(*key), entry);
	if (entry)
		return entry;
	entry = calloc(1, sizeof(*entry));
	if (!entry)
		return NULL;
	entry->key = *key;
	HASH_ADD(hh, contents->by_id, key, sizeof(*key), entry);
	if (hash__added(entry))
		return entry;
	free(entry);
	return NULL;
}

static struct content *get_content(
	struct contents *contents, struct id_entry *id, const struct content_key *key)
{
	struct content *content;

	HASH_FIND(hh, contents->by_content, key, sizeof(*key), content);
	if (content)
		return content;
	content = calloc(1, sizeof(*content));
	if (!content)
		return NULL;
	content->key = *key;
	HASH_ADD(hh, contents->by_content, key, sizeof(*key), content);
	if (!hash__added(content)) {
		free(content);
		return NULL;
	}
	content->number = ++id->id.n_contents;
	if (content->number == 2)
		contents->n_shared++;
	return content;
}

int contents__add(struct contents *contents, const struct perfstamp_identity *identity,
	const struct shared_id **ret, uint32_t *ret_number)
{
	struct content_key key = {.build_id_size = identity->build_id_size};
	struct content *content;
	struct id_entry *id;

	*ret = NULL;
	*ret_number = 0;
	if (!identity->build_id_size)
		return 0;
	memcpy(key.build_id, identity->build_id, identity->build_id_size);
	id = get_id(contents, &key);
	if (!id)
		return -ENOMEM;
	*ret = &id->id;
	if (!identity->cookie_size)
		return 0;
	key.cookie_size = identity->cookie_size;
	memcpy(key.cookie, identity->cookie, identity->cookie_size);
	content = get_content(contents, id, &key);
	if (!content)
		return -ENOMEM;
	*ret_number = content->number;
	return 0;
}

void contents__free(struct contents *contents)
{
	hash__free(contents->by_id);
	hash__free(contents->by_content);
}
