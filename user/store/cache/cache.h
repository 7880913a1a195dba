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

#define CACHE_SHARED UINT64_MAX /* owner of files that were captured for several owners */
struct cache_entry {
	char hex[STORE_HEX_MAX]; /* build-id or cookie */
	bool cookie;
	char dir[PATH_MAX];           /* path below the store */
	const char *name;             /* name of the DSO: in .name_text, or a part of .dir */
	char name_text[PATH_MAX + 1]; /* the name with its leading slash */
	bool there[CACHE_N_KINDS];    /* the files that it has */
	bool captured;                /* record --capture added it */
	/* for which owner: a number that the capturing program chose */
	uint64_t owner;
	uint64_t bytes; /* bytes of all its files, without holes */
	int64_t used_s; /* time of the latest access or change, CLOCK_REALTIME */
};

struct cache;

/* Opens the store at @dir. The caller keeps @dir. Returns 0 or -errno. */
int cache__open(struct cache **ret, const char *dir, bool make, struct error *err);
void cache__free(struct cache *cache);
const char *cache__dir(const struct cache *cache);
/*
 * Returns the bytes that a captured entry named @name counts in addition to its files: its
 * directories, a link, and the unused ends of last blocks. If these did not count, tiny files in
 * deep directories could fill a disk.
 */
uint64_t cache__overhead(const char *name);
/* Returns the name of the file of this kind: "elf", "debug" and so on. */
const char *cache__kind_name(enum cache_kind kind);

/*
 * Calls @fn for every entry, in the order of their digits, until @fn returns non-zero, which is
 * then returned. Links that are broken, or lead out of the store, are not entries; *@ret_foreign is
 * their number, unless it is NULL.
 */
typedef int cache_fn(void *ctx, const struct cache_entry *entry);
int cache__for_each(struct cache *cache, cache_fn *fn, void *ctx, uint64_t *ret_foreign);
/* Finds the entry of one build-id or cookie. Returns 0, -ENOENT, -EXDEV, or -errno. */
int cache__find(
	struct cache *cache, const uint8_t *id, size_t size, bool cookie, struct cache_entry *ret);

/*
 * Opens the file of @kind after checking its identity. With @deep, the whole file is read and
 * compared with its digest, if there is one. Returns a descriptor, which stays valid if the entry
 * is removed; -EBADMSG with text if the content is wrong; or -errno.
 */
int cache__open_file(struct cache *cache, const struct cache_entry *entry, enum cache_kind kind,
	bool deep, struct error *err);
/* Verifies the file of @kind; for CACHE_KCORE, all copies. Returns 0 or as above. */
int cache__verify(struct cache *cache, const struct cache_entry *entry, enum cache_kind kind,
	struct error *err);
/*
 * Moves the file to quarantine, where no search finds it. If it was the last file, the directory
 * and the link are removed.
 */
int cache__quarantine(struct cache *cache, const struct cache_entry *entry, enum cache_kind kind,
	struct error *err);

/* Removes an entry with all its files. Returns 0 or -errno. */
int cache__remove(struct cache *cache, const struct cache_entry *entry, struct error *err);
/*
 * The same, unless another process has used the entry or given it another owner since @entry was
 * read (.used_s, .owner). Returns 1 then.
 */
int cache__remove_unused(struct cache *cache, const struct cache_entry *entry, struct error *err);
/* Marks the entry as used now. */
void cache__touch(struct cache *cache, const struct cache_entry *entry);

/*
 * Removes leftovers of killed writers and of interrupted removals. If another process is writing,
 * only leftovers that are a day old are removed. Returns their number, or -errno.
 */
int cache__sweep(struct cache *cache);
/* Removes all files in quarantine. Returns their bytes. */
uint64_t cache__empty_quarantine(struct cache *cache);

#endif
