// SPDX-License-Identifier: GPL-2.0-only
/* See probes.h. */
#include "user/store/cache/probes.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "user/event/identity.h"
#include "user/io/whole.h"
#include "user/parse/probes.h"
#include "user/store/cache/cache.h"
#include "user/store/cache/origin.h"
#include "user/store/cache/private.h"
#include "user/store/files/copy.h"
#include "user/store/files/digest.h"
#include "user/store/files/inside.h"
#include "user/store/files/sums.h"

/*
 * Takes the lock under which definitions are read, merged and written: two writers may add some at
 * the same time.
 */
static int lock(struct cache *cache)
{
	int dir = inside__directory(cache->root, STORE_OWN, true), fd;

	if (dir < 0)
		return dir;
	fd = openat(dir, "probes.lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		fd = -errno;
	close(dir);
	while (fd >= 0 && flock(fd, LOCK_EX) < 0 && errno == EINTR)
		;
	return fd;
}

/* Whether the store has other content with this build-id. */
static bool is_shared(struct cache *cache, const struct perfstamp_identity *identity)
{
	struct perfstamp_identity there;
	struct cache_entry entry;
	bool other;
	int fd;

	if (cache__find(cache, identity->build_id, identity->build_id_size, false, &entry) ||
		!entry.there[CACHE_ELF])
		return false;
	fd = cache__open_file(cache, &entry, CACHE_ELF, false, NULL);
	if (fd < 0)
		return false;
	other = !digest__identity(fd, &there) && identity->cookie_size && there.cookie_size &&
		!identity__same_cookie(&there, identity);
	close(fd);
	return other;
}

static bool is_by_cookie(struct cache *cache, const struct perfstamp_identity *identity)
{
	return !identity->build_id_size || is_shared(cache, identity);
}

static int find(struct cache *cache, const struct perfstamp_identity *identity, bool cookie,
	struct cache_entry *ret)
{
	return cache__find(cache, cookie ? identity->cookie : identity->build_id,
		cookie ? identity->cookie_size : identity->build_id_size, cookie, ret);
}

int probes__find(
	struct cache *cache, const struct perfstamp_identity *identity, struct cache_entry *ret)
{
	int code = find(cache, identity, is_by_cookie(cache, identity), ret);

	if (code)
		return code;
	return ret->there[CACHE_PROBES] ? 0 : -ENOENT;
}

/* Reads the whole file, which is small. */
static int read_text(int fd, struct buffer *ret)
{
	char bytes[16384];
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		if (buffer__append(ret, bytes, n))
			return ret->error;
	return n < 0 ? -errno : 0;
}

int probes__read(struct cache *cache, const struct cache_entry *entry, struct buffer *ret,
	bool *ret_changed, struct error *err)
{
	const char *file = cache__kind_name(CACHE_PROBES);
	int dir = inside__directory(cache->root, entry->dir, false), fd, code;
	size_t start = ret->size;
	struct error why;

	if (dir < 0)
		return error__errno(err, dir, "%s/%s", cache->dir, entry->dir);
	fd = inside__file(dir, file);
	code = fd < 0 ? fd : read_text(fd, ret);
	if (!code)
		*ret_changed = sums__check(dir, file, fd) == -EBADMSG;
	if (fd >= 0)
		close(fd);
	close(dir);
	if (code)
		return error__errno(err, code, "%s/%s/%s", cache->dir, entry->dir, file);
	code = probes__for_each(
		(const char *)ret->data + start, ret->size - start, NULL, NULL, &why);
	if (code)
		return error__set(
			err, code, "%s/%s/%s: %s", cache->dir, entry->dir, file, why.text);
	return 0;
}

static int write_text(int fd, void *ctx)
{
	const struct buffer *text = ctx;

	return whole__write(fd, text->data, text->size);
}

static int put(struct cache *cache, const struct perfstamp_identity *identity, bool cookie,
	const char *name, struct buffer *text, struct error *err)
{
	const char *file = cache__kind_name(CACHE_PROBES);
	int code;

	if (!cookie)
		return store__put(cache->dir, name, identity->build_id, identity->build_id_size,
			file, 0644, write_text, text, err);
	code = store__put_cookie(cache->dir, identity->cookie, identity->cookie_size, CACHE_ORIGIN,
		0644, origin__write, (void *)name, err);
	return code ? code
		    : store__put_cookie(cache->dir, identity->cookie, identity->cookie_size, file,
			      0644, write_text, text, err);
}

int probes__add(struct cache *cache, const struct perfstamp_identity *identity, const char *name,
	const char *text, size_t size, bool force, struct error *err)
{
	bool cookie = is_by_cookie(cache, identity), changed = false;
	struct buffer old, merged;
	struct cache_entry entry;
	struct error why;
	int locked = lock(cache), code;

	if (locked < 0)
		return error__errno(err, locked, "%s", cache->dir);
	buffer__init(&old, PROBES_MAX);
	buffer__init(&merged, PROBES_MAX);
	code = find(cache, identity, cookie, &entry);
	if (code && code != -ENOENT)
		error__errno(err, code, "%s: its entry", name);
	/* An existing entry keeps its name: another name would make a second entry. */
	if (!code && *entry.name)
		name = entry.name;
	if (!code && entry.there[CACHE_PROBES])
		code = probes__read(cache, &entry, &old, &changed, err);
	if (code == -ENOENT)
		code = 0;
	/* Writing damaged definitions again would give them a valid digest. */
	if (!code && changed && !force)
		code = error__set(err, -EBADMSG,
			"%s/%s/%s: it has changed since it was added: perf modified it, or it is "
			"damaged; --force adds to it",
			cache->dir, entry.dir, cache__kind_name(CACHE_PROBES));
	if (!code) {
		code = probes__merge(&merged, (const char *)old.data, old.size, text, size, &why);
		if (code)
			error__set(err, code, "%s: %s", name, why.text);
	}
	if (!code)
		code = put(cache, identity, cookie, name, &merged, err);
	buffer__free(&merged);
	buffer__free(&old);
	close(locked);
	return code;
}
