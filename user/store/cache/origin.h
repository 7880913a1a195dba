/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The origin of a content in the store, for contents to which no build-id link leads. Knows the
 * files of one directory, not entries.
 */
#ifndef PERFSTAMP_STORE_ORIGIN_H
#define PERFSTAMP_STORE_ORIGIN_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A file next to an "elf" that has no build-id link, or is not the whole file. It has lines of
 * key=value: "path" is the path of the content, "captured" the part of the file that a recording
 * has stored, and "owner" the owner for whom (cache.h).
 */
#define CACHE_ORIGIN "perfstamp.origin"

struct origin {
	char path[PATH_MAX + 1]; /* "" if the file does not have it */
	bool captured;
	uint64_t owner; /* 0 if the file does not have it */
};

void origin__read(int dir, struct origin *ret);
/* Writes the lines for the path @ctx to @fd: a store_write_fn (store.h). */
int origin__write(int fd, void *ctx);

#endif
