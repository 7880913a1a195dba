/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perfstamp cache: what its parts share.
 */
#ifndef PERFSTAMP_CLI_CACHE_H
#define PERFSTAMP_CLI_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/store/cache/cache.h"

struct cache_command {
	struct cache *cache; /* opened */
	bool json;
	char *const *args; /* behind the verb */
	size_t n_args;
	const char *recording; /* of --missing */
	bool all;
	bool force;
	bool bounded;   /* to be trimmed to .size */
	uint64_t size;  /* bytes */
	uint64_t age_s; /* at most; 0: any */
};

/* What each verb does. Returns the exit status, after the error's text. */
int cache_command__add(struct cache_command *command);
int cache_command__list(struct cache_command *command);
int cache_command__find(struct cache_command *command);
int cache_command__remove(struct cache_command *command);
int cache_command__verify(struct cache_command *command);
int cache_command__trim(struct cache_command *command);
int cache_command__probe(struct cache_command *command);
/* What its arguments, at least one, lack; NULL: nothing. */
const char *cache_command__probe_lacks(const struct cache_command *command);
int cache_command__missing(struct cache_command *command);

/* Whether @what, an id with all its digits or a path, is @entry's. */
bool cache_command__is_asked(const struct cache_entry *entry, const char *what);
/* One entry, as a line of text or JSON. */
void cache_command__show(const struct cache_command *command, const struct cache_entry *entry);

#endif
