/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of cache share.
 */
#ifndef PERFSTAMP_STORE_CACHE_PRIVATE_H
#define PERFSTAMP_STORE_CACHE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "user/store/cache/cache.h"

/*
 * Beside an elf that has no build-id link, or is not all of a file: lines of
 * key=value. "path" is where the content was seen, "captured" what of it a recording
 * has kept.
 */
#define CACHE_ORIGIN "perfstamp.origin"

struct cache {
	const char *dir;
	int root;
};

/* The path, or "" where it does not tell, and whether it was captured. */
void cache__read_origin(int dir, char *ret_path, size_t size, bool *ret_captured);
/* Writes the path @ctx to @fd: a store_write_fn (store.h). */
int cache__write_origin(int fd, void *ctx);

/*
 * Whether the content of @fd has the identity @wanted, in hexadecimal. 0, -EBADMSG with
 * the reason, or -errno.
 */
int cache__check(int fd, const char *wanted, bool cookie, enum cache_kind kind, struct error *why);

#endif
