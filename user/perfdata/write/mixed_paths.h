/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths at which a recording has seen both content with a build-id and content that certainly has
 * none. Stock perf identifies the second only by its path. So perf confuses it with the first, or
 * with the file that is now at the path. If its record has the cookie as a build-id, which no file
 * has, perf distinguishes it, and shows no symbols for it (docs/format.md). Pure.
 */
#ifndef PERFSTAMP_PERFDATA_MIXED_PATHS_H
#define PERFSTAMP_PERFDATA_MIXED_PATHS_H

#include <stdint.h>

#include "user/base/buffer.h"
#include "user/event/event.h"

#define MIXED_PATHS_MAX 65536

struct mixed_paths {
	void *tree;
	uint32_t n;         /* number of paths, at most MIXED_PATHS_MAX */
	uint64_t untracked; /* mappings at other paths */
};

/*
 * Called for each mapping before it is written. Returns 1 if its record must have the cookie
 * instead of a build-id, 0 if not, or -ENOMEM.
 */
int mixed_paths__see(struct mixed_paths *paths, const struct event_map *map);
/*
 * Appends the BUILD_ID feature for records that were written before this was known: an entry for
 * each path whose first build-id came after a cookie. Returns 0 or -ENOMEM.
 */
int mixed_paths__table(const struct mixed_paths *paths, struct buffer *out);
/* Removes all paths. */
void mixed_paths__clear(struct mixed_paths *paths);

#endif
