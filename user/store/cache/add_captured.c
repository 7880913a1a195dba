// SPDX-License-Identifier: GPL-2.0-only
/* See add_captured.h. */
#include "user/store/cache/add_captured.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/event/identity.h"
#include "user/event/witness.h"
#include "user/store/cache/cache.h"
#include "user/store/cache/origin.h"
#include "user/store/cache/private.h"
#include "user/store/cache/trim.h"
#include "user/store/files/copy.h"
#include "user/store/files/digest.h"
#include "user/store/cache/skeleton.h"

#define NAMELESS "captured" /* the name if the path cannot be a name in the store */

struct copying {
	int fd;
	struct stat st;
	struct perfstamp_identity identity;
	struct skeleton *skeleton; /* NULL: the whole file is copied */
	bool symbols;              /* the store has, or gets, a skeleton */
	uint64_t owner;
	const struct captured *captured;
};

/* Whether @found has the recorded build-id and the recorded cookie, if one was recorded. */
static bool is_wanted(
	const struct perfstamp_identity *found, const struct perfstamp_identity *wanted)
{
	return (wanted->build_id_size || wanted->cookie_size) &&
	       identity__same_build_id(found, wanted) &&
	       (!wanted->cookie_size || identity__same_cookie(found, wanted));
}

static bool is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Whether a file that was mapped at @mapped_ns may have been written to since. */
static bool may_be_written(const struct stat *st, int64_t mapped_ns)
{
	return witness__last_write(st->st_mtim.tv_sec, st->st_mtim.tv_nsec) >= mapped_ns;
}

/*
 * Copies the content, and checks the identity of the copy. The bytes are compared as well, because
 * stores through a mapping may change no time of the file.
 */
static int write_content(int fd, void *ctx)
{
	const struct copying *copying = ctx;
	struct perfstamp_identity identity;
	struct stat now;
	int code;

	if (copying->skeleton) {
		code = skeleton__write(copying->skeleton, copying->fd, fd);
	} else {
		code = copy__file(copying->fd, fd);
		if (!code)
			code = copy__compare(copying->fd, fd, 0, copying->st.st_size);
	}
	if (!code && fstat(copying->fd, &now) < 0)
		code = -errno;
	if (code)
		return code == -EIO ? -ESTALE : code;
	if (now.st_size != copying->st.st_size || !is_same_time(&now.st_mtim, &copying->st.st_mtim))
		return -ESTALE;
	code = digest__identity(fd, &identity);
	return code || digest__is_same(&identity, &copying->identity) ? code : -ESTALE;
}

static int write_origin(int fd, void *ctx)
{
	const struct copying *copying = ctx;
	int code = origin__write(fd, (void *)copying->captured->name);

	if (!code && dprintf(fd, "captured=%s\nowner=%016" PRIx64 "\n",
			     copying->symbols ? "symbols" : "full", copying->owner) < 0)
		code = -errno;
	return code;
}

/* Whether the stored file @fd makes another copy unnecessary. */
static bool will_do(const struct copying *copying, int fd)
{
	struct perfstamp_identity there;

	return !digest__identity(fd, &there) && digest__is_same(&there, &copying->identity) &&
	       (copying->captured->symbols || !skeleton__is(fd) || skeleton__is(copying->fd));
}

enum place { ABSENT, THERE, OTHER };

static int put(struct cache *cache, const struct copying *copying, bool by_cookie, const char *name,
	const char *file, store_write_fn *fn, struct error *err)
{
	const struct perfstamp_identity *identity = &copying->identity;
	/* The copy must not be more readable than the original. */
	unsigned int mode = 0600 | (copying->st.st_mode & 0044);

	return by_cookie ? store__put_cookie(cache->dir, identity->cookie, identity->cookie_size,
				   file, mode, fn, (void *)copying, err)
			 : store__put(cache->dir, name, identity->build_id, identity->build_id_size,
				   file, mode, fn, (void *)copying, err);
}

/*
 * Marks an entry that was captured for one owner as shared, if another owner has mapped the content
 * now.
 */
static void share(struct cache *cache, const struct copying *copying, bool by_cookie,
	const struct cache_entry *entry, int fd)
{
	struct copying now = *copying;
	struct error ignored;

	if (!entry->captured || !copying->owner || entry->owner == copying->owner ||
		entry->owner == CACHE_SHARED)
		return;
	if (entry->owner)
		now.owner = CACHE_SHARED;
	now.symbols = skeleton__is(fd);
	/* If this fails, the entry still belongs to the first owner. */
	put(cache, &now, by_cookie, entry->name, CACHE_ORIGIN, write_origin, &ignored);
}

/* Whether the open file @fd is still the content of @entry. */
static bool is_still_there(struct cache *cache, const struct cache_entry *entry, int fd)
{
	struct error ignored;
	int now = cache__open_file(cache, entry, CACHE_ELF, false, &ignored);
	struct stat was, is;
	bool same = now >= 0 && !fstat(fd, &was) && !fstat(now, &is) && was.st_dev == is.st_dev &&
		    was.st_ino == is.st_ino;

	if (now >= 0)
		close(now);
	return same;
}

/* Returns what the store already has at the place of @copying. */
static enum place look(struct cache *cache, const struct copying *copying, bool by_cookie)
{
	const struct perfstamp_identity *identity = &copying->identity, is = *identity;
	struct perfstamp_identity there;
	struct cache_entry entry;
	struct error ignored;
	enum place place = OTHER;
	int fd;

	if (cache__find(cache, by_cookie ? is.cookie : is.build_id,
		    by_cookie ? is.cookie_size : is.build_id_size, by_cookie, &entry))
		return ABSENT;
	/* A damaged file is replaced. */
	fd = cache__open_file(cache, &entry, CACHE_ELF, false, &ignored);
	if (fd < 0)
		return ABSENT;
	if (will_do(copying, fd)) {
		cache__touch(cache, &entry);
		share(cache, copying, by_cookie, &entry, fd);
		/* Another process may have removed it before it was marked. */
		place = is_still_there(cache, &entry, fd) ? THERE : ABSENT;
	} else if (!digest__identity(fd, &there) && digest__is_same(&there, identity)) {
		place = ABSENT; /* a skeleton, which the whole file replaces */
	}
	close(fd);
	return place;
}

/* Removes files that are too old, and then those not seen for longest, until there is room. */
static int make_room(struct cache *cache, struct captured *captured, struct error *err)
{
	uint64_t room = captured->room ? captured->room : UINT64_MAX - 1;
	/* A file that the store already has needs no room. */
	uint64_t coming = captured->had ? 0 : captured->bytes + cache__overhead(captured->name);
	struct trim_options options = {
		.captured = true,
		.by_owner = true,
		.owner = captured->owner,
		.coming = coming,
		.bounded = true,
		.oldest_s = captured->oldest_s,
	};
	struct trim_result result;
	int code;

	if (coming > room)
		return error__set(err, -EFBIG, "%s: no space in the cache", captured->name);
	if (captured->taken == UINT64_MAX || captured->taken > room - coming) {
		options.size = room - coming;
		code = cache__trim(cache, &options, &result, err);
		if (code)
			return code;
		captured->taken = result.bytes_left;
		captured->n_gone = result.removed;
	}
	captured->taken += coming;
	return 0;
}

/* Stores the file, and then the mark that it was captured. */
static int put_both(
	struct cache *cache, const struct copying *copying, bool by_cookie, struct error *err)
{
	const char *name = copying->captured->name;
	int code = put(cache, copying, by_cookie, name, "elf", write_content, err);

	/*
	 * A recorded path may have any form and length, and may be invalid as a name in the store.
	 */
	if (!by_cookie && (code == -EINVAL || code == -ENAMETOOLONG || code == -ENOTDIR ||
				  code == -ELOOP || code == -EISDIR)) {
		name = NAMELESS;
		code = put(cache, copying, by_cookie, name, "elf", write_content, err);
	}
	return code ? code : put(cache, copying, by_cookie, name, CACHE_ORIGIN, write_origin, err);
}

static int measure(struct copying *copying, struct captured *captured)
{
	uint64_t allocated = copying->st.st_blocks * 512ull, size = copying->st.st_size;
	int code = captured->symbols ? skeleton__new(&copying->skeleton, copying->fd) : 0;

	/* A file that is not ELF has no symbols, so the whole file is stored. */
	if (code == -ENOEXEC)
		code = 0;
	copying->symbols = copying->skeleton;
	captured->bytes = copying->skeleton  ? skeleton__bytes(copying->skeleton)
			  : allocated < size ? allocated
					     : size;
	return code;
}

int add__captured(struct cache *cache, int fd, struct captured *captured, struct error *err)
{
	struct copying copying = {.fd = fd, .owner = captured->owner, .captured = captured};
	enum place place = OTHER;
	bool by_cookie = false;
	int code;

	captured->had = false;
	captured->bytes = captured->n_gone = 0;
	code = fstat(fd, &copying.st) < 0 ? -errno : digest__identity(fd, &copying.identity);
	if (code)
		return error__errno(err, code, "%s", captured->name);
	if (may_be_written(&copying.st, captured->mapped_ns))
		return error__set(err, -ESTALE, "%s was written to", captured->name);
	if (!is_wanted(&copying.identity, captured->wanted))
		return error__set(err, -ESTALE, "%s: its content has changed", captured->name);
	/* A content with a shared build-id is stored by its cookie. */
	if (copying.identity.build_id_size)
		place = look(cache, &copying, false);
	if (place == OTHER) {
		by_cookie = true;
		place = look(cache, &copying, true);
	}
	captured->had = place == THERE;
	if (captured->had)
		return captured->taken == UINT64_MAX ? make_room(cache, captured, err) : 0;
	code = measure(&copying, captured);
	if (code)
		error__errno(err, code, "%s", captured->name);
	else
		code = make_room(cache, captured, err);
	if (!code)
		code = put_both(cache, &copying, by_cookie, err);
	skeleton__free(copying.skeleton);
	return code;
}
