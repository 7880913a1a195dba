/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The origin of a content in the store, for contents without a build-id link. Knows the
 * files of one directory, not entries.
 */
#ifndef PERFSTAMP_STORE_ORIGIN_H
#define PERFSTAMP_STORE_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A file next to an elf that has no build-id link, or is not the whole file: lines of
 * key=value. "path" is the path of the content, "captured" the part that a recording has
 * stored.
 */
#define CACHE_ORIGIN "perfstamp.origin"

/* The path, or "" if it has none, and whether it was captured. */
void origin__read(int dir, char *ret_path, size_t size, bool *ret_captured);
/* Writes the path @ctx to @fd: a store_write_fn (store.h). */
int origin__write(int fd, void *ctx);

#endif
