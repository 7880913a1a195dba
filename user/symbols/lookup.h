/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the content of an identity in the store, never another content that shares its build-id. */
#ifndef PERFSTAMP_STORE_LOOKUP_H
#define PERFSTAMP_STORE_LOOKUP_H

#include <stdbool.h>

#include "user/store/cache/cache.h"

/*
 * Finds the entry of @identity that has its content or its symbols: by its cookie if the store has
 * that, otherwise by its build-id.
 * With @shared, several contents have this build-id, so the entry must also have the cookie.
 * Nothing is verified yet: cache__open_file() does that. Returns 0, -ENOENT, or -errno.
 */
int lookup__find(struct cache *cache, const struct perfstamp_identity *identity, bool shared,
	struct cache_entry *ret);

/* As store__resolve() (store.h), for the path of a store. */
int lookup__directory(const char *store, const char *hex, char *ret, size_t size);
/*
 * Whether the file @name in the directory @dir of @store exists and matches its digest, if a digest
 * is known.
 */
bool lookup__undamaged(const char *store, const char *dir, const char *name);

/* Whether the content of @fd has @identity, as far as both are known. @shared as above. */
bool lookup__is(int fd, const struct perfstamp_identity *identity, bool shared);

#endif
