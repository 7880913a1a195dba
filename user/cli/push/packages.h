/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the package of a mapped content: by its metadata (.note.package), and by the package that
 * owns its path on this machine, if the file there still has this content. A part of push.
 */
#ifndef PERFSTAMP_CLI_PUSH_PACKAGES_H
#define PERFSTAMP_CLI_PUSH_PACKAGES_H

#include "user/store/cache/cache.h"
#include "user/view/fleet/rows.h"

struct packages;

/*
 * Contents that are no longer at their paths are searched for in @cache, which may be NULL. Returns
 * 0 or -ENOMEM.
 */
int packages__new(struct packages **ret, struct cache *cache);
void packages__free(struct packages *packages);

/*
 * A function for fleet_source; @ctx is a struct packages. Returns each result only once, until
 * packages__forget(). Texts are valid until packages__end().
 */
size_t packages__find(void *ctx, const struct perfstamp_identity *identity, const char *path,
	struct fleet_package ret[FLEET_PACKAGES_MAX]);
/* Frees the data of a recording, after it was read. */
void packages__end(struct packages *packages);
/* Call it if the returned packages were not stored. Returns 0 or -ENOMEM. */
int packages__forget(struct packages *packages);

#endif
