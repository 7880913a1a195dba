/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A client of debuginfod servers: elfutils' own library, with its cache that all tools
 * share. It is loaded only when it is needed, because its dependencies would slow down the
 * start of all commands. The environment has the servers, time limits and cache
 * (debuginfod(7)). Returned files are not verified here.
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

/* Returns 0; -ENODEV where DEBUGINFOD_URLS is not set; -ENOENT without the library. */
int debuginfod__new(
	struct debuginfod **ret, debuginfod_progress_fn *progress, void *ctx, struct error *err);
void debuginfod__free(struct debuginfod *client);
/*
 * The path of the DSO's content, or of its debug information, in the cache; to be freed.
 * Returns 0, or -errno: -ENOENT if no server has it.
 */
int debuginfod__find(struct debuginfod *client, bool content, const uint8_t *build_id, size_t size,
	char **ret, struct error *err);
/* The same of the source file that the DSO's debug information calls @path. */
int debuginfod__find_source(struct debuginfod *client, const uint8_t *build_id, size_t size,
	const char *path, char **ret, struct error *err);

/*
 * Sets .sandbox and .capabilities for a child that searches files by identity and, with
 * @asks, requests them from servers. It may read any file, since a recording has any paths.
 * If it asks, it may also connect, and write below the client's cache, which is made if
 * there is none.
 */
void debuginfod__confine(struct confined_options *ret, bool asks);

#endif
