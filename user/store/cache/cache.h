/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists, verifies, removes and quarantines entries of the store. An entry is the directory
 * of one build-id or cookie. perf and other programs may write to the store at the same
 * time.
 */
#ifndef PERFSTAMP_STORE_CACHE_H
#define PERFSTAMP_STORE_CACHE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "user/store/cache/kind.h"
#include "user/store/files/store.h"

#define CACHE_SHARED UINT64_MAX /* the owner of what was captured for several */
struct cache_entry {
	char hex[STORE_HEX_MAX]; /* build-id or cookie */
	bool cookie;
	char dir[PATH_MAX];           /* below the store */
	const char *name;             /* the DSO's; in .name_text, or in .dir */
	char name_text[PATH_MAX + 1]; /* with its leading slash */
	bool there[CACHE_N_KINDS];    /* which files it has */
	bool captured;                /* record --capture put it there */
	uint64_t owner;               /* for whom: a number that whoever captures has chosen */
	uint64_t bytes;               /* of all of them, without their holes */
	int64_t used_s;               /* the newest access or change, CLOCK_REALTIME */
};

struct cache;

/* Opens the store at @dir, which stays the caller's. Returns 0 or -errno. */
int cache__open(struct cache **ret, const char *dir, bool make, struct error *err);
void cache__free(struct cache *cache);
const char *cache__dir(const struct cache *cache);
/*
 * The bytes that a captured entry named @name counts besides those of its files: its directories, a
 * link, and the rest of last blocks. Without that, tiny files in deep directories would fill a
 * disk.
 */
uint64_t cache__overhead(const char *name);
/* "elf", "debug" …: the file's name. */
const char *cache__kind_name(enum cache_kind kind);

/*
 * Calls @fn for every entry, in order of their digits, until it returns non-zero, which is
 * returned. Links that are broken, or lead out of the store, are not entries;
 * *@ret_foreign, unless it is NULL, is their number.
 */
typedef int cache_fn(void *ctx, const struct cache_entry *entry);
int cache__for_each(struct cache *cache, cache_fn *fn, void *ctx, uint64_t *ret_foreign);
/* The entry of one build-id or cookie. Returns 0, -ENOENT, -EXDEV, or -errno. */
int cache__find(
	struct cache *cache, const uint8_t *id, size_t size, bool cookie, struct cache_entry *ret);

/*
 * Opens the file of @kind, after its identity was read again. With @deep, all of it is read
 * and compared with its digest, if there is one. Returns a descriptor, which stays valid if
 * the entry is removed; -EBADMSG with text if the content is wrong; or -errno.
 */
int cache__open_file(struct cache *cache, const struct cache_entry *entry, enum cache_kind kind,
	bool deep, struct error *err);
/* The same of kcore, of which there may be several: all of them. 0 or as above. */
int cache__verify(struct cache *cache, const struct cache_entry *entry, enum cache_kind kind,
	struct error *err);
/*
 * Moves the file to quarantine, where no search finds it. With the last file, the directory
 * and the link are removed.
 */
int cache__quarantine(struct cache *cache, const struct cache_entry *entry, enum cache_kind kind,
	struct error *err);

/* Removes an entry with all its files. Returns 0 or -errno. */
int cache__remove(struct cache *cache, const struct cache_entry *entry, struct error *err);
/* Marks it as used now. */
void cache__touch(struct cache *cache, const struct cache_entry *entry);

/*
 * Removes leftovers of killed writers and of removals; if another process is writing, only
 * those that are a day old. Returns their number, or -errno.
 */
int cache__sweep(struct cache *cache);
/* Removes what is in quarantine. Returns its bytes. */
uint64_t cache__empty_quarantine(struct cache *cache);

#endif
