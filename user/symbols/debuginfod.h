/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A client of debuginfod servers. It uses elfutils' own library, with the cache that all tools
 * share. The library is loaded only when it is needed, because its dependencies would slow down the
 * start of all commands. Servers, time limits and cache are taken from the environment
 * (debuginfod(7)). The returned files are not verified here.
 */
#ifndef PERFSTAMP_STORE_DEBUGINFOD_H
#define PERFSTAMP_STORE_DEBUGINFOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"
#include "user/helper/confined.h"

struct debuginfod;

typedef void debuginfod_progress_fn(void *ctx, const char *url, long done, long total);

/* Returns 0; -ENODEV if DEBUGINFOD_URLS is not set; -ENOENT if the library is not installed. */
int debuginfod__new(
	struct debuginfod **ret, debuginfod_progress_fn *progress, void *ctx, struct error *err);
void debuginfod__free(struct debuginfod *client);
/*
 * Finds the path, in the cache, of the DSO's content or of its debug information. The caller frees
 * it. Returns 0, or -errno: -ENOENT if no server has the file.
 */
int debuginfod__find(struct debuginfod *client, bool content, const uint8_t *build_id, size_t size,
	char **ret, struct error *err);
/* The same for the source file that the DSO's debug information names @path. */
int debuginfod__find_source(struct debuginfod *client, const uint8_t *build_id, size_t size,
	const char *path, char **ret, struct error *err);

/*
 * Sets .sandbox and .capabilities for a child that searches files by identity and, with @asks,
 * requests them from servers. The child may read any file, because a recording may contain any
 * path. With @asks, it may also connect, and write below the client's cache, which is created if it
 * does not exist.
 */
void debuginfod__confine(struct confined_options *ret, bool asks);

#endif
