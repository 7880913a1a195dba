/* SPDX-License-Identifier: GPL-2.0-only */
/* perfstamp archive: shared by its parts. */
#ifndef PERFSTAMP_CLI_ARCHIVE_ARCHIVE_H
#define PERFSTAMP_CLI_ARCHIVE_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "user/cli/needs.h"
#include "user/store/bundle/bundle.h"

struct archive_collection {
	const char *recording;
	const char *store; /* its directory */
	bool all;
	bool embed; /* the recording has to be a finished file */
	struct bundle_plan *plan;
	size_t needed, taken; /* contents */
	bool damaged;         /* the recording: contents before the damage were collected */
	/* Sources of contents; each may be NULL. */
	struct cache *cache;
	struct cache *embedded; /* what is in the recording already */
	struct cache *kernel;   /* the running kernel's symbols, made for this */
	char *embedded_dir, *kernel_dir;
	bool kernel_tried;
};

/*
 * Finds the contents that the recording needs: in the cache, in the recording itself, at
 * its path if the file has the identity, or in the running kernel if it is the recorded
 * one. Reports what is not found. Returns the exit status, and prints errors; free it in
 * any case.
 */
int archive_collect(struct archive_collection *collection);
void archive_collection__free(struct archive_collection *collection);

#endif
