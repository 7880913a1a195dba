/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes room in the store: removes the entries that were not used for longest, of all or of the
 * owner that has most.
 */
#ifndef PERFSTAMP_STORE_CACHE_TRIM_H
#define PERFSTAMP_STORE_CACHE_TRIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/store/cache/cache.h"

struct trim_options {
	bool captured;    /* only of what was captured, with cache__overhead of each */
	bool by_owner;    /* .size is divided: the owner that takes most loses its oldest */
	uint64_t owner;   /* who is about to add .coming bytes, which count as its own */
	uint64_t coming;  /* not part of .size */
	bool bounded;     /* by .size: bytes that may stay */
	uint64_t size;    /* of all that is meant */
	int64_t oldest_s; /* CLOCK_REALTIME: remove entries last used before; INT64_MIN: none */
	/* Is notified of each entry that is gone: .hex, .cookie, .dir and .bytes are set. NULL:
	 * not. */
	void (*removed)(void *ctx, const struct cache_entry *entry);
	void *ctx;
};

struct trim_result {
	size_t removed; /* entries */
	size_t left;
	uint64_t bytes_removed;
	uint64_t bytes_left;
};

/* Returns 0, or -errno with text: of what could not be removed, the rest stays, too. */
int cache__trim(struct cache *cache, const struct trim_options *options, struct trim_result *ret,
	struct error *err);

#endif
