/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Paths at which a recording has seen content with a build-id, and content that is known to
 * have none. Stock perf identifies the second by its path alone, and so confuses it with
 * the first, or with the file now at the path. If its record has the cookie as a build-id,
 * which no file's note has, perf distinguishes it and shows no symbols for it
 * (docs/format.md). Pure.
 */
#ifndef PERFSTAMP_PERFDATA_MIXED_PATHS_H
#define PERFSTAMP_PERFDATA_MIXED_PATHS_H

#include <stdint.h>

#include "user/base/buffer.h"
#include "user/event/event.h"

#define MIXED_PATHS_MAX 65536

struct mixed_paths {
	void *tree;
	uint32_t n;         /* paths, at most MIXED_PATHS_MAX */
	uint64_t untracked; /* mappings at others */
};

/*
 * A mapping that is about to be written. Returns 1 where its record is to have the cookie
 * in place of a build-id, 0 where not, or -ENOMEM.
 */
int mixed_paths__see(struct mixed_paths *paths, const struct event_map *map);
/*
 * Appends the BUILD_ID feature for what was written before that was known: an entry for
 * each path that had its first build-id after a cookie. Returns 0 or -ENOMEM.
 */
int mixed_paths__table(const struct mixed_paths *paths, struct buffer *out);
/* Forgets them all. */
void mixed_paths__clear(struct mixed_paths *paths);

#endif
