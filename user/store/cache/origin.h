/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The origin of a content in the store, for contents without a build-id link. Knows the
 * files of one directory, not entries.
 */
#ifndef PERFSTAMP_STORE_ORIGIN_H
#define PERFSTAMP_STORE_ORIGIN_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A file next to an elf that has no build-id link, or is not the whole file: lines of
 * key=value. "path" is the path of the content, "captured" the part that a recording has
 * stored, "owner" for whom (cache.h).
 */
#define CACHE_ORIGIN "perfstamp.origin"

struct origin {
	char path[PATH_MAX + 1]; /* "" if it has none */
	bool captured;
	uint64_t owner; /* 0 if it has none */
};

void origin__read(int dir, struct origin *ret);
/* Writes the path @ctx to @fd: a store_write_fn (store.h). */
int origin__write(int fd, void *ctx);

#endif
