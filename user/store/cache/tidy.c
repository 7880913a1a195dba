// SPDX-License-Identifier: GPL-2.0-only
/*
 * Removes entries from the store: see cache.h. An entry is first renamed atomically to a place
 * where no search finds it, and then deleted. If the process is killed in between, the next process
 * that removes entries deletes it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "user/store/cache/cache.h"
#include "user/store/cache/private.h"
#include "user/store/files/inside.h"

#define TRASH STORE_OWN "/trash"
#define QUARANTINE STORE_OWN "/quarantine"
#define LEFTOVER_SECONDS 86400
#define NAMES_MAX 10000

/*
 * Moves @name of @from into the directory @to of the store, under a unique name. Returns 0 or
 * -errno.
 */
static int move(struct cache *cache, int from, const char *name, const char *to, const char *as)
{
	int dir = inside__directory(cache->root, to, true), code = -EEXIST;
	char target[NAME_MAX + 1];

	if (dir < 0)
		return dir;
	for (int i = 0; code == -EEXIST && i < NAMES_MAX; i++) {
		snprintf(target, sizeof(target), "%.200s.%d.%d", as, getpid(), i);
		code = renameat2(from, name, dir, target, RENAME_NOREPLACE) < 0 ? -errno : 0;
	}
	close(dir);
	return code;
}

/* Opens the parent directory of @path. *@ret_name is the last component. */
static int open_parent(struct cache *cache, const char *path, const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	char parent[PATH_MAX] = "";

	*ret_name = slash ? slash + 1 : path;
	if (slash)
		snprintf(parent, sizeof(parent), "%.*s", (int)(slash - path), path);
	return inside__directory(cache->root, parent, false);
}

/* Removes the entry's link, if it still leads to this entry. */
static void remove_link(struct cache *cache, const struct cache_entry *entry)
{
	char target[PATH_MAX], path[32];
	int dir;

	if (entry->cookie || store__resolve(cache->root, entry->hex, target, sizeof(target)) ||
		strcmp(target, entry->dir) != 0)
		return;
	snprintf(path, sizeof(path), ".build-id/%.2s", entry->hex);
	dir = inside__directory(cache->root, path, false);
	if (dir < 0)
		return;
	unlinkat(dir, entry->hex + 2, 0);
	close(dir);
	snprintf(path, sizeof(path), ".build-id/%.2s", entry->hex);
	unlinkat(cache->root, path, AT_REMOVEDIR);
}

/* Removes the directories of the entry's name that have become empty. */
static void remove_empty(struct cache *cache, const struct cache_entry *entry)
{
	char path[PATH_MAX], *slash;

	snprintf(path, sizeof(path), "%s", entry->dir);
	while (!entry->cookie && (slash = strrchr(path, '/'))) {
		const char *name;
		int dir, failed;

		*slash = '\0';
		dir = open_parent(cache, path, &name);
		if (dir < 0)
			return;
		failed = unlinkat(dir, name, AT_REMOVEDIR);
		close(dir);
		if (failed)
			return;
	}
}

/* Whether the entry was used, or got another owner, since @entry was read. */
static bool has_changed(struct cache *cache, const struct cache_entry *entry)
{
	struct cache_entry *now = malloc(sizeof(*now));
	bool changed;

	if (!now)
		return true;
	*now = *entry;
	changed = !cache__look(cache, now) &&
		  (now->owner != entry->owner || now->used_s > entry->used_s);
	free(now);
	return changed;
}

static int remove_entry(
	struct cache *cache, const struct cache_entry *entry, bool if_unused, struct error *err)
{
	const char *name;
	int parent = open_parent(cache, entry->dir, &name), code, dir, trash;

	if (parent < 0)
		return parent == -ENOENT
			       ? 0
			       : error__errno(err, parent, "%s/%s", cache->dir, entry->dir);
	/*
	 * A process that is adding a file holds this lock. A process that takes it later finds that
	 * the directory was removed.
	 */
	dir = inside__directory(parent, name, false);
	if (dir >= 0)
		flock(dir, LOCK_EX);
	/* Without the lock, a directory that another process makes now would be moved away. */
	if (if_unused && (dir < 0 || has_changed(cache, entry))) {
		code = dir >= 0;
		if (dir >= 0)
			close(dir);
		close(parent);
		return code;
	}
	remove_link(cache, entry);
	code = move(cache, parent, name, TRASH, entry->hex);
	if (dir >= 0)
		close(dir);
	close(parent);
	if (code && code != -ENOENT)
		return error__errno(err, code, "%s/%s", cache->dir, entry->dir);
	remove_empty(cache, entry);
	trash = inside__directory(cache->root, STORE_OWN, false);
	if (trash >= 0) {
		inside__remove(trash, "trash");
		close(trash);
	}
	return 0;
}

int cache__remove(struct cache *cache, const struct cache_entry *entry, struct error *err)
{
	return remove_entry(cache, entry, false, err);
}

int cache__remove_unused(struct cache *cache, const struct cache_entry *entry, struct error *err)
{
	return remove_entry(cache, entry, true, err);
}

/* Whether no file that perf or we read is left in @entry's directory. */
static bool is_empty(struct cache *cache, const struct cache_entry *entry)
{
	for (int kind = 0; kind < CACHE_N_KINDS; kind++) {
		char path[PATH_MAX + 16];
		struct stat st;
		int fd;

		snprintf(path, sizeof(path), "%s/%s", entry->dir, cache__kind_name(kind));
		fd = inside__file(cache->root, path);
		if (fd < 0)
			continue;
		st.st_size = 0;
		fstat(fd, &st);
		close(fd);
		if (kind != CACHE_PROBES || st.st_size)
			return false;
	}
	return true;
}

int cache__quarantine(struct cache *cache, const struct cache_entry *entry, enum cache_kind kind,
	struct error *err)
{
	char as[STORE_HEX_MAX + 16];
	const char *name;
	int dir, code;

	snprintf(as, sizeof(as), "%s.%s", entry->hex, cache__kind_name(kind));
	if (kind == CACHE_KCORE) { /* the three files of a copy belong together */
		dir = open_parent(cache, entry->dir, &name);
		code = dir < 0 ? dir : move(cache, dir, name, QUARANTINE, as);
	} else {
		dir = inside__directory(cache->root, entry->dir, false);
		code = dir < 0 ? dir : move(cache, dir, cache__kind_name(kind), QUARANTINE, as);
	}
	if (dir >= 0)
		close(dir);
	if (code)
		return error__errno(err, code, "%s/%s", cache->dir, entry->dir);
	return kind != CACHE_KCORE && is_empty(cache, entry) ? cache__remove(cache, entry, err) : 0;
}

static int touch_file(void *ctx, int dir, const char *name)
{
	const struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};

	(void)ctx;
	utimensat(dir, name, times, AT_SYMLINK_NOFOLLOW);
	return 0;
}

void cache__touch(struct cache *cache, const struct cache_entry *entry)
{
	int dir = inside__directory(cache->root, entry->dir, false);

	if (dir < 0)
		return;
	inside__for_each(dir, touch_file, NULL);
	close(dir);
}

struct sweep {
	time_t before;
	int n;
	int depth;
};

static int sweep_name(void *ctx, int dir, const char *name)
{
	struct sweep *sweep = ctx;
	struct stat st;
	int fd;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return 0;
	if (!strncmp(name, INSIDE_TEMPORARY, strlen(INSIDE_TEMPORARY))) {
		if (st.st_mtime < sweep->before && !unlinkat(dir, name, 0))
			sweep->n++;
		return 0;
	}
	if (!S_ISDIR(st.st_mode) || sweep->depth >= 64)
		return 0;
	fd = inside__directory(dir, name, false);
	if (fd < 0)
		return 0;
	sweep->depth++;
	inside__for_each(fd, sweep_name, sweep);
	sweep->depth--;
	close(fd);
	return 0;
}

int cache__sweep(struct cache *cache)
{
	int lock = store__lock(cache->root, true), own, code;
	struct sweep sweep = {.before = time(NULL) - LEFTOVER_SECONDS};

	if (lock < 0 && lock != -EWOULDBLOCK)
		return lock;
	if (lock >= 0)
		sweep.before = INT64_MAX;
	code = inside__for_each(cache->root, sweep_name, &sweep);
	own = lock < 0 ? -1 : inside__directory(cache->root, STORE_OWN, false);
	if (own >= 0) {
		inside__remove(own, "trash");
		close(own);
	}
	if (lock >= 0)
		close(lock);
	return code ? code : sweep.n;
}

static int add_bytes(void *ctx, int dir, const char *name)
{
	struct stat st;

	if (!fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		*(uint64_t *)ctx += st.st_size;
	return 0;
}

uint64_t cache__empty_quarantine(struct cache *cache)
{
	int own = inside__directory(cache->root, STORE_OWN, false), dir;
	uint64_t bytes = 0;

	if (own < 0)
		return 0;
	dir = inside__directory(own, "quarantine", false);
	if (dir >= 0) {
		inside__for_each(dir, add_bytes, &bytes);
		close(dir);
		inside__remove(own, "quarantine");
	}
	close(own);
	return bytes;
}
