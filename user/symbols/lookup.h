/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the content of an identity in the store, never another content that shares its build-id. */
#ifndef PERFSTAMP_STORE_LOOKUP_H
#define PERFSTAMP_STORE_LOOKUP_H

#include <stdbool.h>

#include "user/store/cache/cache.h"

/*
 * The entry of @identity: by its cookie, where that is kept, else by its build-id.
 * With @shared, where this build-id stands for several contents, that counts only if
 * the cookie is the same. Nothing is verified yet: cache__open_file() does. Returns 0,
 * -ENOENT, or -errno.
 */
int lookup__find(struct cache *cache, const struct perfstamp_identity *identity, bool shared,
	struct cache_entry *ret);

/* By the directory of a store that is not opened: as store__resolve() (store.h). */
int lookup__directory(const char *store, const char *hex, char *ret, size_t size);
/*
 * Whether the file @name in the directory @dir of @store is there and, as far as its
 * digest is known, as it was put there.
 */
bool lookup__undamaged(const char *store, const char *dir, const char *name);

/* Whether the content of @fd is @identity, as far as both are known; the same with @shared. */
bool lookup__is(int fd, const struct perfstamp_identity *identity, bool shared);

#endif
