/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes room in the store. Removes the entries that were not used for longest: of all entries, or
 * of the owner that has most.
 */
#ifndef PERFSTAMP_STORE_CACHE_TRIM_H
#define PERFSTAMP_STORE_CACHE_TRIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/store/cache/cache.h"

struct trim_options {
	bool captured;    /* only captured entries, each with its cache__overhead */
	bool by_owner;    /* owners share .size: the one that uses most loses its oldest entries */
	uint64_t owner;   /* the owner about to add .coming bytes, which count as its own */
	uint64_t coming;  /* not part of .size */
	bool bounded;     /* .size limits the bytes that remain */
	uint64_t size;    /* limit for all candidates in bytes */
	int64_t oldest_s; /* CLOCK_REALTIME: remove entries last used before; INT64_MIN: none */
	/*
	 * Called for each removed entry, whose .hex, .cookie, .dir and .bytes are set; may be NULL.
	 */
	void (*removed)(void *ctx, const struct cache_entry *entry);
	void *ctx;
};

struct trim_result {
	size_t removed; /* entries */
	size_t left;
	uint64_t bytes_removed;
	uint64_t bytes_left;
};

/*
 * Returns 0, or -errno with text if an entry cannot be removed; the entries after it then remain as
 * well.
 */
int cache__trim(struct cache *cache, const struct trim_options *options, struct trim_result *ret,
	struct error *err);

#endif
