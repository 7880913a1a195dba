/* SPDX-License-Identifier: GPL-2.0-only */
/* The open store. Only for the files of this folder. */
#ifndef PERFSTAMP_STORE_CACHE_PRIVATE_H
#define PERFSTAMP_STORE_CACHE_PRIVATE_H

struct cache_entry;

struct cache {
	const char *dir;
	int root;
};

/* Reads the directory of @entry, whose .hex, .cookie and .dir are set. Returns 0 or -errno. */
int cache__look(struct cache *cache, struct cache_entry *entry);

#endif
