/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probe definitions in the store, in the file "probes" next to the content for which they
 * were made, where perf stores its own. An offset is valid only for one build. Content
 * without a build-id, or that shares one with what is in the store, has them by its cookie.
 */
#ifndef PERFSTAMP_STORE_PROBES_H
#define PERFSTAMP_STORE_PROBES_H

#include <stdbool.h>
#include <stddef.h>

#include "user/base/buffer.h"
#include "user/store/cache/cache.h"

/*
 * Adds the definitions @text (parse/probes.h) to those of the content @identity, known as
 * @name, in place of what it has by the same names. Returns 0; -EBADMSG where what is there
 * cannot be read, or, without @force, was changed (below); or -errno; with text.
 */
int probes__add(struct cache *cache, const struct perfstamp_identity *identity, const char *name,
	const char *text, size_t size, bool force, struct error *err);

/* The entry that has definitions for @identity. Returns 0, -ENOENT, or -errno. */
int probes__find(
	struct cache *cache, const struct perfstamp_identity *identity, struct cache_entry *ret);

/*
 * Appends the definitions of @entry to @ret. *@ret_changed: they differ from those that
 * perfstamp wrote, because perf changed them, or because they are damaged. Returns 0;
 * -EBADMSG for what cannot be read as such; or -errno; with text.
 */
int probes__read(struct cache *cache, const struct cache_entry *entry, struct buffer *ret,
	bool *ret_changed, struct error *err);

#endif
