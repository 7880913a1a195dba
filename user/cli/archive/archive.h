/* SPDX-License-Identifier: GPL-2.0-only */
/* perfstamp archive: declarations shared by its files. */
#ifndef PERFSTAMP_CLI_ARCHIVE_ARCHIVE_H
#define PERFSTAMP_CLI_ARCHIVE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "user/cli/needs.h"
#include "user/store/bundle/bundle.h"

struct archive_collection {
	const char *recording;
	const char *store; /* directory of .cache */
	bool all;
	bool embed; /* the bundle is embedded, so the recording has to be a finished file */
	struct bundle_plan *plan;
	size_t needed, taken; /* contents */
	/* The recording is damaged: contents before the damage were collected. */
	bool damaged;
	/* Sources of contents; each may be NULL. */
	struct cache *cache;
	struct cache *embedded; /* contents that the recording already has */
	struct cache *kernel;   /* symbols of the running kernel, made for this bundle */
	char *embedded_dir, *kernel_dir;
	bool kernel_tried;
};

/*
 * Finds the contents that the recording needs. Searches the cache, the recording itself, the file
 * at the recorded path if it has the identity, and the running kernel if it is the recorded one.
 * Reports what it does not find. Prints errors and returns the exit status. The caller frees the
 * collection in any case.
 */
int archive_collect(struct archive_collection *collection);
void archive_collection__free(struct archive_collection *collection);

#endif
