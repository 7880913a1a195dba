// SPDX-License-Identifier: GPL-2.0-only
/*
 * The import of a bundle: see bundle.h. Everything in it is untrusted. Its names are never
 * opened; files are first unpacked to an unnamed file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/buffer.h"
#include "user/base/hash.h"
#include "user/base/text.h"
#include "user/io/whole.h"
#include "user/store/cache/add.h"
#include "user/store/bundle/bundle.h"
#include "user/store/bundle/library.h"
#include "user/store/cache/cache.h"
#include "user/store/cache/check.h"
#include "user/store/cache/origin.h"
#include "user/store/cache/private.h"
#include "user/store/files/copy.h"
#include "user/store/files/inside.h"
#include "user/store/files/sums.h"

#define CHUNK 65536
#define LIST_MAX (64u << 20) /* bytes */
#define ENTRIES_MAX 1000000u
#define SLACK (64ull << 20) /* a bundle is refused if it unpacks to more than this */
#define RATIO_MAX 200       /* and to more than this multiple of its size */

/* A line of the list. */
struct listed {
	char *name;
	char hex[2 * DIGEST_SIZE + 1];
	UT_hash_handle hh;
};

/* A build-id that an earlier file of this bundle had. */
struct seen {
	char key[STORE_HEX_MAX + 16]; /* build-id and kind of file */
	char digest[2 * DIGEST_SIZE + 1];
	UT_hash_handle hh;
};

struct import {
	struct cache *cache;
	const struct bundle_library *library;
	struct archive *archive;
	int fd;
	uint64_t at, end; /* the part of @fd that has not been read */
	uint64_t room;    /* bytes that the rest may unpack to */
	uint8_t chunk[CHUNK];
	struct listed *list;
	struct seen *seen;
	bundle_note_fn *note;
	void *ctx;
	struct bundle_counts *counts;
};

/* The place in the store that a name of the bundle means. */
struct place {
	char dso[PATH_MAX + 1]; /* "" for a cookie */
	char hex[STORE_HEX_MAX];
	bool cookie;
	enum cache_kind kind; /* CACHE_N_KINDS: a file that describes other files */
};

static ssize_t read_bundle(struct archive *archive, void *ctx, const void **ret)
{
	struct import *import = ctx;
	uint64_t left = import->end - import->at;
	ssize_t n;

	do {
		n = pread(import->fd, import->chunk, left < CHUNK ? left : CHUNK, import->at);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		import->library->archive_set_error(archive, errno, "cannot be read");
	else
		import->at += n;
	*ret = import->chunk;
	return n;
}

static void refuse(struct import *import, const char *name, const char *why)
{
	char escaped[2048], text[4096];

	text__escape(escaped, sizeof(escaped), name);
	snprintf(text, sizeof(text), "%s: refused: %s", escaped, why);
	import->counts->refused++;
	import->note(import->ctx, text);
}

static bool is_hex(const char *text, size_t n)
{
	return n >= 4 && n < STORE_HEX_MAX && n % 2 == 0 && strspn(text, "0123456789abcdef") == n;
}

/* Accepts "NAME/HEX/elf" and ".perfstamp/cookie/HEX/elf" only. */
static bool find_place(const char *name, struct place *ret)
{
	const char *file, *hex;

	memset(ret, 0, sizeof(*ret));
	if (!inside__is_plain(name) || strlen(name) >= PATH_MAX || strchr(name, '\n'))
		return false;
	file = strrchr(name, '/');
	if (!file)
		return false;
	hex = memrchr(name, '/', file - name);
	if (!hex || !is_hex(hex + 1, file - hex - 1 < 64 ? file - hex - 1 : 64) ||
		file - hex - 1 >= STORE_HEX_MAX)
		return false;
	snprintf(ret->hex, sizeof(ret->hex), "%.*s", (int)(file - hex - 1), hex + 1);
	ret->cookie = hex - name == (int)strlen(STORE_OWN "/cookie") &&
		      !strncmp(name, STORE_OWN "/cookie/", strlen(STORE_OWN "/cookie/"));
	if (!ret->cookie && (!strncmp(name, STORE_OWN "/", sizeof(STORE_OWN)) ||
				    !strncmp(name, ".build-id/", 10)))
		return false;
	if (!ret->cookie)
		snprintf(ret->dso, sizeof(ret->dso), "%s%.*s", *name == '[' ? "" : "/",
			(int)(hex - name), name);
	for (ret->kind = 0; ret->kind < CACHE_N_KINDS; ret->kind++)
		if (!strcmp(file + 1, cache__kind_name(ret->kind)))
			return ret->kind != CACHE_KCORE && ret->kind != CACHE_PROBES;
	return !strcmp(file + 1, CACHE_ORIGIN) || !strcmp(file + 1, SUMS_FILE);
}

/* A file without a name, on the store's file system. */
static int open_nameless(struct cache *cache)
{
	int own = inside__directory(cache->root, STORE_OWN, true), fd;
	char name[64];

	if (own < 0)
		return own;
	snprintf(name, sizeof(name), INSIDE_TEMPORARY "import.%d", getpid());
	unlinkat(own, name, 0);
	fd = openat(own, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		fd = -errno;
	else
		unlinkat(own, name, 0);
	close(own);
	return fd;
}

static int fail(struct import *import, struct error *err)
{
	const char *why = import->library->archive_error_string(import->archive);

	return error__set(err, -EBADMSG, "the bundle is damaged: %s", why ? why : "it ends early");
}

/*
 * Unpacks the content of the current entry to @fd. Returns 0, -EFBIG for a decompression bomb,
 * -EBADMSG or -errno.
 */
static int unpack(struct import *import, int fd, struct error *err)
{
	const void *bytes;
	int64_t offset;
	size_t size;
	int r;

	while ((r = import->library->archive_read_data_block(
			import->archive, &bytes, &size, &offset)) == ARCHIVE_OK) {
		int code;

		/* Files in a bundle have no holes. */
		if (size > import->room || offset != lseek(fd, 0, SEEK_CUR))
			return error__set(err, -EFBIG,
				"the bundle unpacks to more data than its files can have");
		import->room -= size;
		code = whole__write(fd, bytes, size);
		if (code)
			return error__errno(err, code, "%s", import->cache->dir);
	}
	return r == ARCHIVE_EOF ? 0 : fail(import, err);
}

static int read_list(struct import *import, struct archive_entry *entry, struct error *err)
{
	int64_t size = import->library->archive_entry_size(entry);
	char *text, *line, *rest;
	ssize_t n;

	if (size < 0 || size > LIST_MAX)
		return error__set(err, -EBADMSG, "the bundle is damaged: its list is cut off");
	text = malloc(size + 1);
	n = text ? import->library->archive_read_data(import->archive, text, size) : -ENOMEM;
	if (n != size) {
		free(text);
		return n == -ENOMEM ? error__set(err, -ENOMEM, "out of memory") : fail(import, err);
	}
	text[size] = '\0';
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		struct listed *listed, *other;

		if (strlen(line) <= 2 * DIGEST_SIZE + 2 || line[2 * DIGEST_SIZE] != ' ')
			continue;
		HASH_FIND_STR(import->list, line + 2 * DIGEST_SIZE + 2, other);
		if (other) /* of two lines with one name, the first counts */
			continue;
		listed = calloc(1, sizeof(*listed));
		if (listed)
			listed->name = strdup(line + 2 * DIGEST_SIZE + 2);
		if (listed && listed->name) {
			memcpy(listed->hex, line, 2 * DIGEST_SIZE);
			HASH_ADD_KEYPTR(
				hh, import->list, listed->name, strlen(listed->name), listed);
			if (hash__added(listed))
				continue;
		}
		if (listed)
			free(listed->name);
		free(listed);
		free(text);
		return error__set(err, -ENOMEM, "out of memory");
	}
	free(text);
	return 0;
}

/*
 * Whether an earlier file of this bundle has the same build-id and kind, but other content. Returns
 * 1, 0 or -ENOMEM.
 */
static int is_second(struct import *import, const struct place *place, const char *digest)
{
	struct seen *seen, *other;

	if (place->cookie || place->kind == CACHE_N_KINDS)
		return 0;
	seen = calloc(1, sizeof(*seen));
	if (!seen)
		return -ENOMEM;
	snprintf(seen->key, sizeof(seen->key), "%s.%d", place->hex, place->kind);
	snprintf(seen->digest, sizeof(seen->digest), "%s", digest);
	HASH_FIND_STR(import->seen, seen->key, other);
	if (!other) {
		HASH_ADD_STR(import->seen, key, seen);
		if (hash__added(seen))
			return 0;
	}
	free(seen);
	return other ? strcmp(other->digest, digest) != 0 : -ENOMEM;
}

static int write_copy(int to, void *ctx)
{
	const int *from = ctx;

	return copy__file(*from, to);
}

/* Stores an ELF file as `cache add' does. */
static int put_elf(struct import *import, const struct place *place, int fd, struct error *err)
{
	struct add_result result;
	char text[2 * STORE_HEX_MAX + 128];
	int code = add__file(import->cache, fd, place->dso, &result, err);

	if (code)
		return code;
	import->counts->had += result.had;
	import->counts->files++;
	if (result.collision && result.cookie) {
		snprintf(text, sizeof(text),
			"other content has the build-id %s: both are kept, that of the bundle by "
			"its cookie",
			place->hex);
		import->note(import->ctx, text);
	}
	return 0;
}

/*
 * Stores kernel symbols, and symbols-only files that are stored by their cookie. Their digest has
 * been verified.
 */
static int put_other(struct import *import, const struct place *place, int fd, struct error *err)
{
	const char *file = place->kind == CACHE_N_KINDS ? CACHE_ORIGIN
							: cache__kind_name(place->kind);
	uint8_t id[PERFSTAMP_BUILD_ID_MAX];
	int n = text__parse_hex(id, sizeof(id), place->hex), code;
	struct cache_entry entry;

	if (n < 0)
		return error__set(err, -EBADMSG, "%s: the identity is too long", place->hex);
	/* The store already has the complete file, or its origin file. */
	if (place->kind == CACHE_N_KINDS && !place->cookie &&
		!cache__find(import->cache, id, n, false, &entry))
		return 0;
	if (place->kind != CACHE_N_KINDS &&
		!cache__find(import->cache, id, n, place->cookie, &entry)) {
		int there = cache__open_file(import->cache, &entry, place->kind, true, NULL);

		if (there >= 0) {
			close(there);
			import->counts->had++;
			import->counts->files++;
			return 0;
		}
	}
	if (place->cookie)
		code = store__put_cookie(
			import->cache->dir, id, n, file, 0644, write_copy, &fd, err);
	else
		code = store__put(
			import->cache->dir, place->dso, id, n, file, 0644, write_copy, &fd, err);
	if (!code && place->kind != CACHE_N_KINDS)
		import->counts->files++;
	return code;
}

/* Checks that the content of @fd matches @place. Returns NULL, or the reason why it does not. */
static const char *check(struct import *import, const struct place *place, int fd,
	const struct listed *listed, struct error *why)
{
	char hex[2 * DIGEST_SIZE + 1];
	uint8_t digest[DIGEST_SIZE];

	if (digest__sha256(fd, digest))
		return "it cannot be read";
	text__hex(hex, sizeof(hex), digest, sizeof(digest));
	if (strcmp(hex, listed->hex) != 0)
		return "it is damaged: its SHA-256 is not the one in the list";
	if (place->kind == CACHE_N_KINDS)
		return NULL;
	if (content__check(fd, place->hex, place->cookie, place->kind, why))
		return why->text[0] ? why->text : "its identity cannot be read";
	switch (is_second(import, place, hex)) {
	case 0:
		return NULL;
	case 1:
		return "the bundle has two contents with this build-id";
	default:
		return "out of memory";
	}
}

static int take_file(struct import *import, const char *name, struct error *err)
{
	struct error why = {0};
	struct listed *listed;
	struct place place;
	const char *wrong;
	int fd, code;

	if (!find_place(name, &place)) {
		refuse(import, name, "not a name that a cache can have");
		return 0;
	}
	HASH_FIND_STR(import->list, name, listed);
	if (!listed) {
		refuse(import, name, "not in the bundle's list");
		return 0;
	}
	if (!strcmp(strrchr(name, '/') + 1, SUMS_FILE)) /* it is written anew, not copied */
		return 0;
	fd = open_nameless(import->cache);
	if (fd < 0)
		return error__errno(err, fd, "%s", import->cache->dir);
	code = unpack(import, fd, err);
	wrong = code ? NULL : check(import, &place, fd, listed, &why);
	if (wrong)
		refuse(import, name, wrong);
	else if (!code && lseek(fd, 0, SEEK_SET) == 0 && !place.cookie &&
		 (place.kind == CACHE_ELF || place.kind == CACHE_DEBUG))
		code = put_elf(import, &place, fd, err);
	else if (!code)
		code = put_other(import, &place, fd, err);
	close(fd);
	return code;
}

/* Reports a link that leads elsewhere. Correct links are created anew, and not reported. */
static void take_link(struct import *import, const char *name, const char *target)
{
	const char *last = target ? strrchr(target, '/') : NULL;
	char hex[STORE_HEX_MAX];

	/* ".build-id/xx/xxxx" */
	if (!strncmp(name, ".build-id/", 10) && strlen(name) > 13 && inside__is_plain(name) &&
		last && !strncmp(target, "../../", 6) && inside__is_plain(target + 6) &&
		snprintf(hex, sizeof(hex), "%.2s%s", name + 10, name + 13) < STORE_HEX_MAX &&
		!strcmp(hex, last + 1))
		return;
	refuse(import, name, "a link that points outside of the cache");
}

static int take(struct import *import, struct archive_entry *entry, bool first, struct error *err)
{
	const char *name = import->library->archive_entry_pathname(entry);

	if (!name)
		return fail(import, err);
	if (first && strcmp(name, BUNDLE_LIST) != 0)
		return error__set(err, -EBADMSG, "not a bundle of perfstamp archive, or damaged");
	if (first)
		return read_list(import, entry, err);
	if (import->library->archive_entry_hardlink(entry))
		refuse(import, name, "a hard link");
	else if (import->library->archive_entry_filetype(entry) == AE_IFLNK)
		take_link(import, name, import->library->archive_entry_symlink(entry));
	else if (import->library->archive_entry_filetype(entry) == AE_IFREG)
		return take_file(import, name, err);
	else if (import->library->archive_entry_filetype(entry) != AE_IFDIR)
		refuse(import, name, "neither a file nor a link");
	return 0;
}

static int read_entries(struct import *import, struct error *err)
{
	struct archive_entry *entry;
	int code = 0, r;

	for (uint32_t n = 0; !code; n++) {
		r = import->library->archive_read_next_header(import->archive, &entry);
		if (r == ARCHIVE_EOF)
			return n ? 0 : error__set(err, -EBADMSG, "not a bundle: the file is empty");
		if (r < ARCHIVE_WARN)
			return fail(import, err);
		if (n >= ENTRIES_MAX)
			return error__set(err, -EBADMSG, "the bundle is cut off");
		code = take(import, entry, !n, err);
	}
	return code;
}

static void free_tables(struct import *import)
{
	struct listed *listed, *next_listed;

	HASH_ITER (hh, import->list, listed, next_listed) {
		HASH_DEL(import->list, listed);
		free(listed->name);
		free(listed);
	}
	hash__free(import->seen);
}

int bundle__import(struct cache *cache, int fd, uint64_t offset, uint64_t size, const char *name,
	bundle_note_fn *note, void *ctx, struct bundle_counts *ret, struct error *err)
{
	struct import *import = calloc(1, sizeof(*import));
	const struct bundle_library *library;
	struct error why = {0};
	int code;

	memset(ret, 0, sizeof(*ret));
	code = bundle_library__load(&library, err);
	if (code) {
		free(import);
		return code;
	}
	if (import)
		import->library = library;
	if (import)
		import->archive = import->library->archive_read_new();
	if (!import || !import->archive) {
		free(import);
		return error__set(err, -ENOMEM, "out of memory");
	}
	import->cache = cache;
	import->fd = fd;
	import->at = offset;
	import->end = offset + size;
	import->room = SLACK + RATIO_MAX * (size < (1ull << 40) ? size : 1ull << 40);
	import->note = note;
	import->ctx = ctx;
	import->counts = ret;
	import->library->archive_read_support_filter_zstd(import->archive);
	import->library->archive_read_support_format_tar(import->archive);
	if (import->library->archive_read_open(import->archive, import, NULL, read_bundle, NULL) !=
		ARCHIVE_OK)
		code = error__set(&why, -EBADMSG, "not a bundle of perfstamp archive");
	if (!code)
		code = read_entries(import, &why);
	import->library->archive_read_free(import->archive);
	free_tables(import);
	free(import);
	return code ? error__set(err, code, "%s: %s", name, why.text) : 0;
}
