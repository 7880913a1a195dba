/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perfstamp archive: what its parts share.
 */
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
	bool damaged;         /* the recording: what comes before the damage was collected */
	/* Sources of contents; each may be NULL. */
	struct cache *cache;
	struct cache *embedded; /* what is in the recording already */
	struct cache *kernel;   /* the running kernel's symbols, made for this */
	char *embedded_dir, *kernel_dir;
	bool kernel_tried;
};

/*
 * Finds what the recording needs: in the cache, in the recording itself, at its path, if
 * that has this identity, or in the running kernel, if that is the one. Reports what is not
 * found. Returns the exit status, and prints errors; free it in any case.
 */
int archive_collect(struct archive_collection *collection);
void archive_collection__free(struct archive_collection *collection);

#endif
