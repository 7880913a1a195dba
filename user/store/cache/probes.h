/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Probe definitions in the store, in the file "probes" next to the content for which they were
 * made, where perf stores its own. An offset is valid for one build only. Definitions are stored by
 * cookie if the content has no build-id, or shares one with other content in the store.
 */
#ifndef PERFSTAMP_STORE_PROBES_H
#define PERFSTAMP_STORE_PROBES_H

#include <stdbool.h>
#include <stddef.h>

#include "user/base/buffer.h"
#include "user/store/cache/cache.h"

/*
 * Adds the definitions @text (parse/probes.h) to those of the content @identity, which is known as
 * @name. A new definition replaces the old one of the same name. Returns 0; -EBADMSG if the
 * existing file cannot be parsed, or was changed (below) and @force is not set; or -errno; with
 * text.
 */
int probes__add(struct cache *cache, const struct perfstamp_identity *identity, const char *name,
	const char *text, size_t size, bool force, struct error *err);

/* Finds the entry with definitions for @identity. Returns 0, -ENOENT, or -errno. */
int probes__find(
	struct cache *cache, const struct perfstamp_identity *identity, struct cache_entry *ret);

/*
 * Appends the definitions of @entry to @ret. *@ret_changed: they differ from those that perfstamp
 * wrote, because perf changed them or because they are damaged. Returns 0; -EBADMSG if they cannot
 * be parsed; or -errno; with text.
 */
int probes__read(struct cache *cache, const struct cache_entry *entry, struct buffer *ret,
	bool *ret_changed, struct error *err);

#endif
