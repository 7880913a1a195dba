/* SPDX-License-Identifier: GPL-2.0-only */
/* perfstamp cache: declarations shared by its files. */
#ifndef PERFSTAMP_CLI_CACHE_H
#define PERFSTAMP_CLI_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/store/cache/cache.h"

struct cache_command {
	struct cache *cache; /* opened */
	bool json;
	char *const *args; /* the arguments behind the verb */
	size_t n_args;
	const char *recording; /* argument of --missing */
	bool all;
	bool force;
	bool bounded;   /* .size was given */
	uint64_t size;  /* bytes */
	uint64_t age_s; /* maximum age: older entries are trimmed; 0: no limit */
};

/* One function for each verb. Prints errors and returns the exit status. */
int cache_command__add(struct cache_command *command);
int cache_command__list(struct cache_command *command);
int cache_command__find(struct cache_command *command);
int cache_command__remove(struct cache_command *command);
int cache_command__verify(struct cache_command *command);
int cache_command__trim(struct cache_command *command);
int cache_command__probe(struct cache_command *command);
/*
 * Checks the arguments of probe; there has to be at least one. Returns a description of what is
 * missing, or NULL if they are complete.
 */
const char *cache_command__probe_lacks(const struct cache_command *command);
int cache_command__missing(struct cache_command *command);

/* Whether @what is the full id or the path of @entry. */
bool cache_command__is_asked(const struct cache_entry *entry, const char *what);
/* Prints an entry as a line of text or JSON. */
void cache_command__show(const struct cache_command *command, const struct cache_entry *entry);

#endif
