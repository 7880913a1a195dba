// SPDX-License-Identifier: GPL-2.0-only
/* See cache.h. Finds and verifies entries; tidy.c changes the store. */
#include "user/store/cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/base/text.h"
#include "user/store/cache/check.h"
#include "user/store/cache/origin.h"
#include "user/store/cache/private.h"
#include "user/store/files/inside.h"
#include "user/store/files/sums.h"

static const char *const KINDS[CACHE_N_KINDS] = {
	[CACHE_ELF] = "elf",
	[CACHE_DEBUG] = "debug",
	[CACHE_VDSO] = "vdso",
	[CACHE_KALLSYMS] = "kallsyms",
	[CACHE_KCORE] = "kcore",
	[CACHE_PROBES] = "probes",
};

const char *cache__kind_name(enum cache_kind kind)
{
	return KINDS[kind];
}

int cache__open(struct cache **ret, const char *dir, bool make, struct error *err)
{
	struct cache *cache = calloc(1, sizeof(*cache));
	int root = cache ? store__open(dir, make, err) : -ENOMEM;

	if (!cache)
		return error__set(err, -ENOMEM, "out of memory");
	if (root < 0) {
		free(cache);
		return root;
	}
	cache->dir = dir;
	cache->root = root;
	*ret = cache;
	return 0;
}

void cache__free(struct cache *cache)
{
	if (!cache)
		return;
	close(cache->root);
	free(cache);
}

const char *cache__dir(const struct cache *cache)
{
	return cache->dir;
}

#define BLOCK 4096
#define ENTRY_BLOCKS 4 /* blocks of three files and a link */
#define USUAL_DEPTH 8  /* directories of a name, most of which have several entries */

uint64_t cache__overhead(const char *name)
{
	uint64_t depth = 0;

	for (; *name; name++)
		depth += *name == '/';
	return BLOCK * (ENTRY_BLOCKS + (depth > USUAL_DEPTH ? depth - USUAL_DEPTH : 0));
}

static int count_file(void *ctx, int dir, const char *name)
{
	struct cache_entry *entry = ctx;
	struct stat st;
	int64_t used;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return 0;
	if (S_ISDIR(st.st_mode)) { /* a directory of kcore */
		int fd = inside__directory(dir, name, false);

		if (fd >= 0) {
			inside__for_each(fd, count_file, entry);
			close(fd);
		}
		return 0;
	}
	if (!S_ISREG(st.st_mode))
		return 0;
	for (int kind = 0; kind < CACHE_N_KINDS; kind++)
		/* perf writes an empty "probes" file if there is no probe. */
		if (!strcmp(name, KINDS[kind]) && (kind != CACHE_PROBES || st.st_size))
			entry->there[kind] = true;
	/* Reading the origin file is no use of the content: listing entries does it. */
	used = st.st_atime > st.st_mtime && strcmp(name, CACHE_ORIGIN) != 0 ? st.st_atime
									    : st.st_mtime;
	if (used > entry->used_s)
		entry->used_s = used;
	/* A skeleton consists mostly of holes. */
	entry->bytes += st.st_blocks * 512 < st.st_size ? st.st_blocks * 512 : st.st_size;
	return 0;
}

int cache__look(struct cache *cache, struct cache_entry *entry)
{
	int dir = inside__directory(cache->root, entry->dir, false);
	struct origin origin;
	char *slash;

	if (dir < 0)
		return dir;
	memset(entry->there, 0, sizeof(entry->there));
	entry->bytes = 0;
	entry->used_s = 0;
	inside__for_each(dir, count_file, entry);
	origin__read(dir, &origin);
	entry->captured = origin.captured;
	entry->owner = origin.owner;
	snprintf(entry->name_text, sizeof(entry->name_text), "%s", origin.path);
	if (!entry->cookie) {
		/* "usr/bin/ls/HEX" belongs to /usr/bin/ls, and "[vdso]/HEX" to [vdso]. */
		snprintf(entry->name_text, sizeof(entry->name_text), "%s%s",
			entry->dir[0] == '[' ? "" : "/", entry->dir);
		slash = strrchr(entry->name_text, '/');
		if (slash)
			*slash = '\0';
	}
	entry->name = entry->name_text;
	close(dir);
	return 0;
}

int cache__find(
	struct cache *cache, const uint8_t *id, size_t size, bool cookie, struct cache_entry *ret)
{
	int code = 0;

	if (size < 2 || size > PERFSTAMP_BUILD_ID_MAX)
		return -ENOENT;
	text__hex(ret->hex, sizeof(ret->hex), id, size);
	ret->cookie = cookie;
	if (cookie)
		snprintf(ret->dir, sizeof(ret->dir), STORE_OWN "/cookie/%s", ret->hex);
	else
		code = store__resolve(cache->root, ret->hex, ret->dir, sizeof(ret->dir));
	return code ? code : cache__look(cache, ret);
}

struct names {
	char **v;
	size_t n, room;
};

static int add_name(void *ctx, int dir, const char *name)
{
	struct names *names = ctx;

	(void)dir;
	if (array__reserve(&names->v, &names->room, names->n + 1, sizeof(*names->v)))
		return -ENOMEM;
	names->v[names->n] = strdup(name);
	return names->v[names->n++] ? 0 : -ENOMEM;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reads and sorts the names in the directory @path of the store: none if it does not exist. */
static int read_names(struct cache *cache, const char *path, struct names *ret)
{
	int dir = inside__directory(cache->root, path, false), code;

	memset(ret, 0, sizeof(*ret));
	if (dir < 0)
		return dir == -ENOENT || dir == -ENOTDIR || dir == -ELOOP ? 0 : dir;
	code = inside__for_each(dir, add_name, ret);
	close(dir);
	qsort(ret->v, ret->n, sizeof(*ret->v), by_name);
	return code;
}

static void free_names(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->v[i]);
	free(names->v);
}

struct walk {
	struct cache *cache;
	cache_fn *fn;
	void *ctx;
	uint64_t foreign;
	struct cache_entry entry;
};

static bool is_hex(const char *text, size_t min)
{
	size_t n = strspn(text, "0123456789abcdef");

	return !text[n] && n >= min && n < STORE_HEX_MAX && n % 2 == 0;
}

static bool is_temporary(const char *name)
{
	return !strncmp(name, INSIDE_TEMPORARY, strlen(INSIDE_TEMPORARY));
}

static int visit(struct walk *walk)
{
	int code = cache__look(walk->cache, &walk->entry);

	if (!code)
		return walk->fn(walk->ctx, &walk->entry);
	walk->foreign++;
	return code == -ENOMEM ? code : 0;
}

static int walk_links(struct walk *walk, const char *prefix)
{
	char path[32];
	struct names names;
	int code;

	snprintf(path, sizeof(path), ".build-id/%.2s", prefix);
	code = read_names(walk->cache, path, &names);
	for (size_t i = 0; !code && i < names.n; i++) {
		if (is_temporary(names.v[i]))
			continue;
		walk->entry.cookie = false;
		if (!is_hex(names.v[i], 2) ||
			snprintf(walk->entry.hex, STORE_HEX_MAX, "%.2s%s", prefix, names.v[i]) >=
				STORE_HEX_MAX ||
			store__resolve(walk->cache->root, walk->entry.hex, walk->entry.dir,
				sizeof(walk->entry.dir))) {
			walk->foreign++;
			continue;
		}
		code = visit(walk);
	}
	free_names(&names);
	return code;
}

/*
 * Visits directories that are entries without a link: those of cookies, and of copies of the
 * kernel's code.
 */
static int walk_directories(struct walk *walk, const char *path, bool cookie)
{
	struct names names;
	int code = read_names(walk->cache, path, &names);

	for (size_t i = 0; !code && i < names.n; i++) {
		if (!is_hex(names.v[i], 4)) {
			walk->foreign += !is_temporary(names.v[i]);
			continue;
		}
		walk->entry.cookie = cookie;
		snprintf(walk->entry.hex, sizeof(walk->entry.hex), "%s", names.v[i]);
		snprintf(walk->entry.dir, sizeof(walk->entry.dir), "%s/%s", path, names.v[i]);
		code = visit(walk);
	}
	free_names(&names);
	return code;
}

int cache__for_each(struct cache *cache, cache_fn *fn, void *ctx, uint64_t *ret_foreign)
{
	struct walk *walk = calloc(1, sizeof(*walk));
	struct names prefixes;
	int code;

	if (!walk)
		return -ENOMEM;
	walk->cache = cache;
	walk->fn = fn;
	walk->ctx = ctx;
	code = read_names(cache, ".build-id", &prefixes);
	for (size_t i = 0; !code && i < prefixes.n; i++) {
		if (strlen(prefixes.v[i]) == 2 && is_hex(prefixes.v[i], 2))
			code = walk_links(walk, prefixes.v[i]);
		else
			walk->foreign++;
	}
	free_names(&prefixes);
	if (!code)
		code = walk_directories(walk, STORE_KCORE, false);
	if (!code)
		code = walk_directories(walk, STORE_OWN "/cookie", true);
	if (ret_foreign)
		*ret_foreign = walk->foreign;
	free(walk);
	return code;
}

/*
 * Opens and checks the file @name in @dir. Returns a descriptor, -EBADMSG with the reason, or
 * -errno.
 */
static int open_checked(int dir, const char *name, const struct cache_entry *entry,
	enum cache_kind kind, bool deep, struct error *why)
{
	int fd = inside__file(dir, name), code;

	if (fd < 0)
		return fd;
	code = content__check(fd, entry->hex, entry->cookie, kind, why);
	if (!code && deep)
		code = sums__check(dir, name, fd);
	if (code == -EBADMSG && !why->text[0])
		error__set(why, code, "it is damaged: its SHA-256 has changed since it was added");
	if (!code || code == -ENODATA)
		return fd;
	close(fd);
	return code;
}

int cache__open_file(struct cache *cache, const struct cache_entry *entry, enum cache_kind kind,
	bool deep, struct error *err)
{
	int dir = inside__directory(cache->root, entry->dir, false), fd;
	struct error why = {0};

	if (dir < 0)
		return error__errno(err, dir, "%s/%s", cache->dir, entry->dir);
	fd = open_checked(dir, KINDS[kind], entry, kind, deep, &why);
	close(dir);
	if (fd == -EBADMSG)
		return error__set(
			err, fd, "%s/%s/%s: %s", cache->dir, entry->dir, KINDS[kind], why.text);
	if (fd < 0)
		return error__errno(err, fd, "%s/%s/%s", cache->dir, entry->dir, KINDS[kind]);
	return fd;
}

struct parts {
	const struct cache_entry *entry;
	struct error *why;
};

/* Verifies one copy of kcore: the three files that were taken at one moment. */
static int verify_part(void *ctx, int dir, const char *name)
{
	static const char *const FILES[] = {"kcore", "kallsyms", "modules"};
	struct parts *parts = ctx;
	int part = inside__directory(dir, name, false), code = 0;

	if (part == -ENOTDIR)
		return 0;
	if (part < 0)
		return part;
	for (size_t i = 0; !code && i < sizeof(FILES) / sizeof(*FILES); i++) {
		int fd = open_checked(part, FILES[i], parts->entry,
			i == 1 ? CACHE_KALLSYMS : CACHE_KCORE, true, parts->why);

		if (fd >= 0)
			close(fd);
		else if (fd != -ENOENT)
			code = fd;
	}
	close(part);
	return code;
}

int cache__verify(struct cache *cache, const struct cache_entry *entry, enum cache_kind kind,
	struct error *err)
{
	struct error why = {0};
	struct parts parts = {.entry = entry, .why = &why};
	int fd, code;

	if (kind != CACHE_KCORE) {
		fd = cache__open_file(cache, entry, kind, true, err);
		if (fd >= 0)
			close(fd);
		return fd < 0 ? fd : 0;
	}
	fd = inside__directory(cache->root, entry->dir, false);
	code = fd < 0 ? fd : inside__for_each(fd, verify_part, &parts);
	if (fd >= 0)
		close(fd);
	if (code == -EBADMSG)
		return error__set(err, code, "%s/%s: %s", cache->dir, entry->dir, why.text);
	return code ? error__errno(err, code, "%s/%s", cache->dir, entry->dir) : 0;
}
