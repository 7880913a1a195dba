// SPDX-License-Identifier: GPL-2.0-only
/* See store.h. Does not know any kernel or recording. */
#include "user/store/files/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "user/base/text.h"
#include "user/store/files/inside.h"
#include "user/store/files/sums.h"

#define LEFTOVER_SECONDS 86400 /* the writer of an older temporary file is considered dead */
#define TRIES 100

/* Creates all directories of @path, which is unchanged on return. */
static int make_directories(char *path)
{
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		int failed;

		*slash = '\0';
		failed = mkdir(path, 0755) < 0 && errno != EEXIST ? -errno : 0;
		*slash = '/';
		if (failed)
			return failed;
	}
	return mkdir(path, 0755) < 0 && errno != EEXIST ? -errno : 0;
}

int store__open(const char *dir, bool make, struct error *err)
{
	char path[PATH_MAX];
	int fd, code;

	if (snprintf(path, sizeof(path), "%s", dir) >= PATH_MAX)
		return error__errno(err, -ENAMETOOLONG, "%s", dir);
	code = make ? make_directories(path) : 0;
	fd = code ? code : open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return error__errno(err, code ? code : -errno, "%s", dir);
	return fd;
}

int store__lock(int root, bool exclusive)
{
	int dir = inside__directory(root, STORE_OWN, true), fd;

	if (dir < 0)
		return dir;
	fd = openat(dir, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
	/* A store of another user may be read-only. */
	if (fd < 0 && errno == EACCES)
		fd = openat(dir, "lock", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	close(dir);
	if (fd < 0)
		return fd;
	while (flock(fd, exclusive ? LOCK_EX | LOCK_NB : LOCK_SH) < 0) {
		int code = -errno;

		if (code == -EINTR)
			continue;
		close(fd);
		return code;
	}
	return fd;
}

/* Removes a temporary file of a killed writer from a directory of the store. */
static int clean(void *ctx, int dir, const char *name)
{
	const time_t *before = ctx;
	struct stat st;

	if (!strncmp(name, INSIDE_TEMPORARY, strlen(INSIDE_TEMPORARY)) &&
		!fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) && st.st_mtime < *before)
		unlinkat(dir, name, 0);
	return 0;
}

static void make_temporary(char *ret, size_t size)
{
	uint64_t number = 0;

	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number))
		number = (uint64_t)getpid() << 32 | (uint64_t)clock();
	snprintf(ret, size, INSIDE_TEMPORARY "%016llx", (unsigned long long)number);
}

/* Whether @path below @root is still the directory @dir: another process may have removed it. */
static bool is_there(int root, const char *path, int dir)
{
	int fd = inside__directory(root, path, false);
	struct stat a, b;
	bool same = fd >= 0 && !fstat(fd, &a) && !fstat(dir, &b) && a.st_dev == b.st_dev &&
		    a.st_ino == b.st_ino;

	if (fd >= 0)
		close(fd);
	return same;
}

/* Opens and locks a directory, so that no other process replaces or removes what is in it. */
static int lock_directory(int root, const char *path)
{
	for (int tries = 0; tries < TRIES; tries++) {
		int dir = inside__directory(root, path, true);

		if (dir == -ENOENT)
			continue; /* removed after it was created */
		if (dir < 0)
			return dir;
		while (flock(dir, LOCK_EX) < 0 && errno == EINTR)
			;
		if (is_there(root, path, dir))
			return dir;
		close(dir);
	}
	return -EAGAIN;
}

/* Called without the lock, because writing may take long. */
static int write_temporary(
	int dir, char *name, size_t size, unsigned int mode, store_write_fn *fn, void *ctx)
{
	int fd, code;

	make_temporary(name, size);
	fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	code = fn(fd, ctx);
	if (!code && (fchmod(fd, mode) < 0 || fdatasync(fd) < 0))
		code = -errno;
	if (code) {
		close(fd);
		unlinkat(dir, name, 0);
		return code;
	}
	return fd;
}

static int put_file_once(int root, const char *path, const char *file, unsigned int mode,
	store_write_fn *fn, void *ctx)
{
	time_t before = time(NULL) - LEFTOVER_SECONDS;
	uint8_t digest[DIGEST_SIZE];
	char temporary[64];
	int dir, fd, code;

	dir = inside__directory(root, path, true);
	if (dir < 0)
		return dir;
	inside__for_each(dir, clean, &before);
	fd = write_temporary(dir, temporary, sizeof(temporary), mode, fn, ctx);
	if (fd < 0) {
		close(dir);
		return fd;
	}
	code = digest__sha256(fd, digest);
	close(fd);
	if (!code) {
		int locked = lock_directory(root, path);

		code = locked < 0 ? locked : sums__add(locked, file, digest);
		if (!code && renameat(dir, temporary, locked, file) < 0)
			code = -errno;
		if (locked >= 0)
			close(locked);
	}
	if (code)
		unlinkat(dir, temporary, 0);
	close(dir);
	return code;
}

/* Tries again if another process removes the directory meanwhile. */
static int put_file(int root, const char *path, const char *file, unsigned int mode,
	store_write_fn *fn, void *ctx)
{
	int code = -ENOENT;

	for (int tries = 0; code == -ENOENT && tries < TRIES; tries++)
		code = put_file_once(root, path, file, mode, fn, ctx);
	return code;
}

/* Makes the link from the build-id to @target, a directory below @root. */
static int put_link(int root, const char *hex, const char *target)
{
	char name[64], temporary[64], there[PATH_MAX], wanted[PATH_MAX];
	time_t before = time(NULL) - LEFTOVER_SECONDS;
	int dir, code = 0;
	ssize_t n;

	if (snprintf(wanted, sizeof(wanted), "../../%s", target) >= PATH_MAX)
		return -ENAMETOOLONG;
	snprintf(name, sizeof(name), ".build-id/%.2s", hex);
	dir = inside__directory(root, name, true);
	if (dir < 0)
		return dir;
	inside__for_each(dir, clean, &before);
	n = readlinkat(dir, hex + 2, there, sizeof(there) - 1);
	if (n > 0)
		there[n] = '\0';
	if (n <= 0 || strcmp(there, wanted) != 0) {
		make_temporary(temporary, sizeof(temporary));
		if (symlinkat(wanted, dir, temporary) < 0) {
			code = -errno;
		} else if (renameat(dir, temporary, dir, hex + 2) < 0) {
			code = -errno;
			unlinkat(dir, temporary, 0);
		}
	}
	close(dir);
	return code;
}

/* Removes the directories of @path that are empty, beginning with the last one. */
static void remove_empty(int root, const char *path)
{
	char parent[PATH_MAX], *slash = parent;

	snprintf(parent, sizeof(parent), "%s", path);
	while (slash && !unlinkat(root, parent, AT_REMOVEDIR)) {
		slash = strrchr(parent, '/');
		if (slash)
			*slash = '\0';
	}
}

/*
 * Finds the directory that the build-id @hex already has. A second directory would take the link,
 * and nothing would find the files in the first one.
 */
static bool find_directory(int root, const char *hex, char *ret, size_t size)
{
	int dir = -ENOENT;

	if (!store__resolve(root, hex, ret, size))
		dir = inside__directory(root, ret, false);
	if (dir >= 0)
		close(dir);
	return dir >= 0;
}

/*
 * Puts @file into the directory @path of the store, and makes the link of @hex, unless that is
 * NULL. If @hex has a directory, @file is put there.
 */
static int put(const char *dir, const char *path, const char *hex, const char *file,
	unsigned int mode, store_write_fn *fn, void *ctx, struct error *err)
{
	int root = store__open(dir, true, err), lock, code;
	char existing[PATH_MAX];

	if (root < 0)
		return root;
	lock = store__lock(root, false);
	if (lock >= 0 && hex && find_directory(root, hex, existing, sizeof(existing)))
		path = existing;
	code = lock < 0 ? lock : put_file(root, path, file, mode, fn, ctx);
	if (code)
		remove_empty(root, path);
	else if (hex)
		code = put_link(root, hex, path);
	if (lock >= 0)
		close(lock);
	close(root);
	return code ? error__errno(err, code, "%s/%s/%s", dir, path, file) : 0;
}

/* Makes the path of a DSO's directory, below the store. */
static int make_path(char *ret, char *ret_hex, const char *name, const uint8_t *build_id,
	size_t size, const char *part, struct error *err)
{
	const char *at = name;

	if (size < 2 || size > PERFSTAMP_BUILD_ID_MAX)
		return error__set(err, -EINVAL, "%s: a build-id of %zu bytes", name, size);
	text__hex(ret_hex, STORE_HEX_MAX, build_id, size);
	while (*at == '/')
		at++;
	if (!inside__is_plain(at) || !strncmp(at, STORE_OWN "/", sizeof(STORE_OWN)) ||
		!strncmp(at, ".build-id/", 10))
		return error__set(err, -EINVAL, "%s: not a valid name in the cache", name);
	if (snprintf(ret, PATH_MAX, "%s/%s%s%s", at, ret_hex, part ? "/" : "", part ? part : "") >=
		PATH_MAX)
		return error__errno(err, -ENAMETOOLONG, "%s", name);
	return 0;
}

int store__put(const char *dir, const char *name, const uint8_t *build_id, size_t size,
	const char *file, unsigned int mode, store_write_fn *fn, void *ctx, struct error *err)
{
	char hex[STORE_HEX_MAX], path[PATH_MAX];
	int code = make_path(path, hex, name, build_id, size, NULL, err);

	return code ? code : put(dir, path, hex, file, mode, fn, ctx, err);
}

int store__put_part(const char *dir, const char *name, const uint8_t *build_id, size_t size,
	const char *part, const char *file, unsigned int mode, store_write_fn *fn, void *ctx,
	struct error *err)
{
	char hex[STORE_HEX_MAX], path[PATH_MAX];
	int code = make_path(path, hex, name, build_id, size, part, err);

	return code ? code : put(dir, path, NULL, file, mode, fn, ctx, err);
}

int store__put_cookie(const char *dir, const uint8_t *cookie, size_t size, const char *file,
	unsigned int mode, store_write_fn *fn, void *ctx, struct error *err)
{
	char hex[STORE_HEX_MAX], path[PATH_MAX];

	if (size < 2 || size > PERFSTAMP_COOKIE_MAX)
		return error__set(err, -EINVAL, "a cookie of %zu bytes", size);
	text__hex(hex, sizeof(hex), cookie, size);
	snprintf(path, sizeof(path), STORE_OWN "/cookie/%s", hex);
	return put(dir, path, NULL, file, mode, fn, ctx, err);
}

int store__resolve(int root, const char *hex, char *ret, size_t size)
{
	char link[STORE_HEX_MAX + 16], target[PATH_MAX];
	const char *last;
	ssize_t n;
	int dir;

	snprintf(link, sizeof(link), ".build-id/%.2s", hex);
	dir = inside__directory(root, link, false);
	if (dir < 0)
		return dir;
	n = readlinkat(dir, hex + 2, target, sizeof(target) - 1);
	n = n < 0 ? -errno : n;
	close(dir);
	if (n < 0)
		return n == -EINVAL ? -EXDEV : n;
	target[n] = '\0';
	last = strrchr(target, '/');
	if (strncmp(target, "../../", 6) != 0 || !inside__is_plain(target + 6) ||
		strcmp(last + 1, hex) != 0)
		return -EXDEV;
	return (size_t)snprintf(ret, size, "%s", target + 6) < size ? 0 : -ENAMETOOLONG;
}

bool store__has(const char *dir, const uint8_t *build_id, size_t size, const char *file)
{
	char hex[STORE_HEX_MAX], path[PATH_MAX], whole[PATH_MAX];
	int root, fd = -1;

	if (size < 2 || size > PERFSTAMP_BUILD_ID_MAX)
		return false;
	root = store__open(dir, false, NULL);
	if (root < 0)
		return false;
	text__hex(hex, sizeof(hex), build_id, size);
	if (!store__resolve(root, hex, path, sizeof(path)) &&
		snprintf(whole, sizeof(whole), "%s/%s", path, file) < PATH_MAX)
		fd = inside__file(root, whole);
	if (fd >= 0)
		close(fd);
	close(root);
	return fd >= 0;
}
