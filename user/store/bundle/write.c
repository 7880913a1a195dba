// SPDX-License-Identifier: GPL-2.0-only
/* Collects the files of a bundle, and writes it: see bundle.h. */
#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/base/buffer.h"
#include "user/base/hash.h"
#include "user/base/text.h"
#include "user/store/bundle/bundle.h"
#include "user/store/bundle/library.h"
#include "user/store/cache/cache.h"
#include "user/store/cache/origin.h"
#include "user/store/cache/private.h"
#include "user/store/files/inside.h"
#include "user/store/files/sums.h"

#define CHUNK 65536

struct item {
	char *name;   /* name in the bundle */
	char *target; /* target of a link; otherwise NULL */
	char *text;   /* the content, if it is in memory; otherwise NULL */
	/* otherwise the file with the content: a path below .root, or any path if .root is -1 */
	char *from;
	int root;
	uint64_t size;
	int64_t mtime_s;
	uint8_t digest[DIGEST_SIZE];
};

/* A text of a set. */
struct known {
	UT_hash_handle hh;
	char text[];
};

struct bundle_plan {
	struct item *v;
	size_t n, room;
	struct known *names; /* names of the items */
	struct known *hexes; /* build-ids for which a link was added */
};

static bool is_known(struct known *set, const char *text)
{
	struct known *known;

	HASH_FIND_STR(set, text, known);
	return known;
}

static int remember(struct known **set, const char *text)
{
	size_t size = strlen(text);
	struct known *known;

	if (is_known(*set, text))
		return 0;
	known = calloc(1, sizeof(*known) + size + 1);
	if (!known)
		return -ENOMEM;
	memcpy(known->text, text, size);
	HASH_ADD_KEYPTR(hh, *set, known->text, size, known);
	if (hash__added(known))
		return 0;
	free(known);
	return -ENOMEM;
}

static void forget(struct known **set)
{
	hash__free(*set);
}

int bundle_plan__new(struct bundle_plan **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void bundle_plan__free(struct bundle_plan *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->n; i++) {
		free(plan->v[i].name);
		free(plan->v[i].target);
		free(plan->v[i].text);
		free(plan->v[i].from);
	}
	forget(&plan->names);
	forget(&plan->hexes);
	free(plan->v);
	free(plan);
}

/* Adds an item "DIR/NAME". Returns NULL if memory is exhausted. */
static struct item *add_item(struct bundle_plan *plan, const char *dir, const char *name)
{
	struct item *item;

	if (array__reserve(&plan->v, &plan->room, plan->n + 1, sizeof(*plan->v)))
		return NULL;
	item = &plan->v[plan->n];
	memset(item, 0, sizeof(*item));
	item->root = -1;
	if (asprintf(&item->name, "%s/%s", dir, name) < 0)
		return NULL;
	plan->n++;
	return remember(&plan->names, item->name) ? NULL : item;
}

/* Adds a file with the content @text, which is freed with the plan. */
static int add_text(struct bundle_plan *plan, const char *dir, const char *name, char *text)
{
	struct item *item = text ? add_item(plan, dir, name) : NULL;
	struct sha256_ctx sha;

	if (!item) {
		free(text);
		return -ENOMEM;
	}
	item->text = text;
	item->size = strlen(text);
	sha256_init(&sha);
	sha256_update(&sha, item->size, (const uint8_t *)text);
	sha256_digest(&sha, DIGEST_SIZE, item->digest);
	return 0;
}

/*
 * Adds a file with the content of @fd. To write it, the file is opened again, as @from below @root.
 */
static int add_content(struct bundle_plan *plan, const char *dir, const char *name, int fd,
	int root, const char *from)
{
	struct item *item = add_item(plan, dir, name);
	struct stat st;

	if (!item)
		return -ENOMEM;
	item->from = strdup(from);
	item->root = root;
	if (!item->from)
		return -ENOMEM;
	if (fstat(fd, &st) < 0)
		return -errno;
	item->size = st.st_size;
	item->mtime_s = st.st_mtime;
	return digest__sha256(fd, item->digest);
}

/* Adds the link of a build-id to @dir. */
static int add_link(struct bundle_plan *plan, const char *hex, const char *dir)
{
	char name[STORE_HEX_MAX + 8];
	struct item *item;

	snprintf(name, sizeof(name), "%.2s/%s", hex, hex + 2);
	item = add_item(plan, ".build-id", name);
	if (!item || asprintf(&item->target, "../../%s", dir) < 0)
		return -ENOMEM;
	return remember(&plan->hexes, hex);
}

bool bundle_plan__has(const struct bundle_plan *plan, const uint8_t *build_id, size_t size)
{
	char hex[STORE_HEX_MAX];

	text__hex(hex, sizeof(hex), build_id, size);
	return is_known(plan->hexes, hex);
}

/* Adds the file with the digests of the items from @first on, all of which are in @dir. */
static int add_sums(struct bundle_plan *plan, const char *dir, size_t first)
{
	struct buffer out;
	int code;

	buffer__init(&out, 0);
	for (size_t i = first; i < plan->n; i++) {
		char hex[2 * DIGEST_SIZE + 1];

		text__hex(hex, sizeof(hex), plan->v[i].digest, DIGEST_SIZE);
		buffer__printf(&out, "%s  %s\n", hex, plan->v[i].name + strlen(dir) + 1);
	}
	buffer__u8(&out, 0);
	code = out.error ? out.error : add_text(plan, dir, SUMS_FILE, strdup((char *)out.data));
	buffer__free(&out);
	return code;
}

int bundle_plan__add_entry(struct bundle_plan *plan, struct cache *cache,
	const struct cache_entry *entry, unsigned int *ret_files, struct error *err)
{
	size_t first = plan->n;
	char path[PATH_MAX + 32];
	int code = 0, origin;

	*ret_files = 0;
	snprintf(path, sizeof(path), "%s/" CACHE_ORIGIN, entry->dir);
	if (is_known(plan->names, path))
		return 0;
	/* The origin precedes the other files, because it shows how to verify them. */
	origin = inside__file(cache->root, path);
	if (origin >= 0) {
		code = add_content(plan, entry->dir, CACHE_ORIGIN, origin, cache->root, path);
		close(origin);
	}
	for (int kind = 0; !code && kind < CACHE_N_KINDS; kind++) {
		int fd;

		/* Omits copies of kernel memory (kcore), and the user's probe definitions. */
		if (!entry->there[kind] || kind == CACHE_KCORE || kind == CACHE_PROBES)
			continue;
		snprintf(path, sizeof(path), "%s/%s", entry->dir, cache__kind_name(kind));
		if (is_known(plan->names, path))
			return 0;
		fd = cache__open_file(cache, entry, kind, true, err);
		if (fd < 0)
			continue;
		code = add_content(plan, entry->dir, cache__kind_name(kind), fd, cache->root, path);
		close(fd);
		++*ret_files;
	}
	if (!code && *ret_files)
		code = add_sums(plan, entry->dir, first);
	if (!code && *ret_files && !entry->cookie)
		code = add_link(plan, entry->hex, entry->dir);
	return code ? error__errno(err, code, "%s/%s", cache->dir, entry->dir) : 0;
}

int bundle_plan__add_file(struct bundle_plan *plan, int fd, const char *path,
	const struct perfstamp_identity *identity, bool by_cookie, struct error *err)
{
	char dir[PATH_MAX], hex[STORE_HEX_MAX], *origin = NULL;
	size_t first = plan->n;
	int code = 0, n;

	text__hex(hex, sizeof(hex), by_cookie ? identity->cookie : identity->build_id,
		by_cookie ? identity->cookie_size : identity->build_id_size);
	if (by_cookie)
		n = snprintf(dir, sizeof(dir), STORE_OWN "/cookie/%s", hex);
	else
		n = snprintf(dir, sizeof(dir), "%s/%s", path + strspn(path, "/"), hex);
	if (n >= (int)sizeof(dir) || !inside__is_plain(dir))
		return error__set(err, -EINVAL, "%s: not a valid name in the cache", path);
	if (by_cookie && asprintf(&origin, "path=%.*s\n", (int)strcspn(path, "\n"), path) < 0)
		return error__set(err, -ENOMEM, "out of memory");
	if (by_cookie)
		code = add_text(plan, dir, CACHE_ORIGIN, origin);
	if (!code)
		code = add_content(plan, dir, "elf", fd, -1, path);
	if (!code)
		code = add_sums(plan, dir, first);
	if (!code && !by_cookie)
		code = add_link(plan, hex, dir);
	return code ? error__errno(err, code, "%s", path) : 0;
}

/* The state of writing: libarchive's objects, and the progress. */
struct writing {
	const struct bundle_library *library;
	struct archive *archive;
	struct archive_entry *entry;
	uint64_t done, total; /* bytes of file contents */
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

/* An error of the output has an errno; an error of libarchive has only a text. */
static int fail(const struct writing *writing, const char *name, struct error *err)
{
	const struct bundle_library *library = writing->library;
	int code = library->archive_errno(writing->archive);

	if (code > 0 && code < 4096)
		return error__errno(err, -code, "%s", name);
	return error__set(err, -EIO, "%s: %s", name,
		library->archive_error_string(writing->archive)
			? library->archive_error_string(writing->archive)
			: "not written");
}

static int write_header(const struct writing *writing, const struct item *item, struct error *err)
{
	const struct bundle_library *library = writing->library;
	library->archive_entry_clear(writing->entry);
	library->archive_entry_set_pathname(writing->entry, item->name);
	library->archive_entry_set_mtime(writing->entry, item->mtime_s, 0);
	library->archive_entry_set_perm(writing->entry, item->target ? 0777 : 0644);
	if (item->target) {
		library->archive_entry_set_filetype(writing->entry, AE_IFLNK);
		library->archive_entry_set_symlink(writing->entry, item->target);
	} else {
		library->archive_entry_set_filetype(writing->entry, AE_IFREG);
		library->archive_entry_set_size(writing->entry, item->size);
	}
	return library->archive_write_header(writing->archive, writing->entry) < ARCHIVE_WARN
		       ? fail(writing, item->name, err)
		       : 0;
}

/* Writes the content, and checks that it has the listed digest. */
static int write_content(struct writing *writing, const struct item *item, struct error *err)
{
	const struct bundle_library *library = writing->library;
	int fd = item->root >= 0 ? inside__file(item->root, item->from)
				 : open(item->from, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	uint8_t digest[DIGEST_SIZE], chunk[CHUNK];
	uint64_t left = item->size;
	struct sha256_ctx sha;
	ssize_t n = 0;
	int code = 0;

	if (fd < 0)
		return error__errno(err, item->root >= 0 ? fd : -errno, "%s", item->from);
	sha256_init(&sha);
	while (!code && left) {
		n = read(fd, chunk, left < CHUNK ? left : CHUNK);
		if (n <= 0)
			break;
		sha256_update(&sha, n, chunk);
		left -= n;
		if (library->archive_write_data(writing->archive, chunk, n) != n)
			code = fail(writing, item->name, err);
		writing->done += n;
		writing->progress(writing->ctx, writing->done, writing->total);
	}
	close(fd);
	sha256_digest(&sha, DIGEST_SIZE, digest);
	if (code)
		return code;
	if (n < 0)
		return error__errno(err, -errno, "%s", item->from);
	if (left || memcmp(digest, item->digest, DIGEST_SIZE) != 0)
		return error__set(err, -ESTALE, "%s: it changed while it was read", item->from);
	return 0;
}

static int write_item(struct writing *writing, const struct item *item, struct error *err)
{
	const struct bundle_library *library = writing->library;
	int code = write_header(writing, item, err);

	if (code || item->target)
		return code;
	if (!item->text)
		return write_content(writing, item, err);
	if (library->archive_write_data(writing->archive, item->text, item->size) !=
		(ssize_t)item->size)
		return fail(writing, item->name, err);
	return 0;
}

/* Makes the list of all files, which is an item itself. */
static int make_list(const struct bundle_plan *plan, struct item *ret)
{
	struct buffer out;
	int code;

	memset(ret, 0, sizeof(*ret));
	buffer__init(&out, 0);
	for (size_t i = 0; i < plan->n; i++) {
		char hex[2 * DIGEST_SIZE + 1];

		if (plan->v[i].target)
			continue;
		text__hex(hex, sizeof(hex), plan->v[i].digest, DIGEST_SIZE);
		/*
		 * If a name contains a newline, the list has no line for it, and the reader refuses
		 * the file.
		 */
		buffer__printf(&out, "%s  %s\n", hex, plan->v[i].name);
	}
	code = out.error;
	ret->name = (char *)BUNDLE_LIST;
	ret->text = (char *)out.data; /* owned by the item from here on */
	ret->size = out.size;
	if (!ret->text && !code)
		ret->text = strdup("");
	return code;
}

static int write_all(struct writing *writing, const struct bundle_plan *plan,
	const struct item *list, int fd, struct error *err)
{
	const struct bundle_library *library = writing->library;
	int code = 0;

	if (library->archive_write_add_filter_zstd(writing->archive) < ARCHIVE_WARN ||
		library->archive_write_set_format_pax_restricted(writing->archive) != ARCHIVE_OK ||
		library->archive_write_set_bytes_in_last_block(writing->archive, 1) != ARCHIVE_OK ||
		library->archive_write_open_fd(writing->archive, fd) != ARCHIVE_OK)
		code = fail(writing, "libarchive", err);
	if (!code)
		code = write_item(writing, list, err);
	for (size_t i = 0; !code && i < plan->n; i++)
		code = write_item(writing, &plan->v[i], err);
	if (!code && library->archive_write_close(writing->archive) != ARCHIVE_OK)
		code = fail(writing, "the bundle", err);
	return code;
}

int bundle_plan__write(struct bundle_plan *plan, int fd,
	void (*progress)(void *ctx, uint64_t done, uint64_t total), void *ctx, struct error *err)
{
	struct writing writing = {.progress = progress, .ctx = ctx};
	struct item list = {0};
	int code = bundle_library__load(&writing.library, err);

	if (code)
		return code;
	for (size_t i = 0; i < plan->n; i++)
		writing.total += plan->v[i].from ? plan->v[i].size : 0;
	writing.archive = writing.library->archive_write_new();
	writing.entry = writing.library->archive_entry_new();
	code = writing.archive && writing.entry ? make_list(plan, &list) : -ENOMEM;
	if (code)
		error__set(err, code, "out of memory");
	else
		code = write_all(&writing, plan, &list, fd, err);
	free(list.text);
	writing.library->archive_entry_free(writing.entry);
	writing.library->archive_write_free(writing.archive);
	return code;
}
