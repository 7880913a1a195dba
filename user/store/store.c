// SPDX-License-Identifier: GPL-2.0-only
/*
 * store: see store.h. Knows no kernel and no recording.
 */
#include "user/store/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "perfstamp/record.h"
#include "user/base/text.h"
#include "user/parse/perf_config.h"

#define CONFIG_MAX 65536
#define TEMPORARY ".perfstamp." /* begins what a writer has not completed */
#define LEFTOVER_SECONDS 86400  /* from then on it is nobody's any more */
#define HEX_MAX (2 * PERFSTAMP_BUILD_ID_MAX + 1)

/* The directory that a configuration file names, or "". */
static void read_config(const char *path, char *ret, size_t size)
{
	char *text = calloc(1, CONFIG_MAX + 1);
	struct stat st;
	ssize_t n;
	int fd;

	fd = text ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	/* As perf: it is not to be another user's. */
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
		(!st.st_uid || st.st_uid == geteuid())) {
		n = read(fd, text, CONFIG_MAX);
		if (n > 0)
			perf_config__find(text, "buildid", "dir", ret, size);
	}
	if (fd >= 0)
		close(fd);
	free(text);
}

int store__directory(char **ret, const char *given, struct error *err)
{
	const char *only = getenv("PERF_CONFIG"), *home = getenv("HOME");
	char dir[PATH_MAX] = "", path[PATH_MAX];

	if (given && *given) {
		*ret = strdup(given);
		return *ret ? 0 : error__set(err, -ENOMEM, "not enough memory");
	}
	read_config(only ? only : "/etc/perfconfig", dir, sizeof(dir));
	if (!only && home) {
		snprintf(path, sizeof(path), "%s/.perfconfig", home);
		read_config(path, dir, sizeof(dir));
	}
	if (*dir)
		*ret = strdup(dir);
	else if (!home || !*home)
		return error__set(err, -ENOENT,
			"HOME is not set: where the store is has to be told, by --buildid-dir");
	else if (asprintf(ret, "%s/.debug", home) < 0)
		*ret = NULL;
	return *ret ? 0 : error__set(err, -ENOMEM, "not enough memory");
}

/* All directories of @path, which is not changed in the end. */
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

/* What writers left behind that were killed. */
static void clean(const char *dir)
{
	DIR *stream = opendir(dir);
	time_t now = time(NULL);
	struct dirent *entry;
	struct stat st;

	while (stream && (entry = readdir(stream)))
		if (!strncmp(entry->d_name, TEMPORARY, strlen(TEMPORARY)) &&
			!fstatat(dirfd(stream), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
			st.st_mtime < now - LEFTOVER_SECONDS)
			unlinkat(dirfd(stream), entry->d_name, 0);
	if (stream)
		closedir(stream);
}

static int put_file(const char *dir, const char *file, unsigned int mode, store_write_fn *fn,
	void *ctx, struct error *err)
{
	char path[PATH_MAX], temporary[PATH_MAX];
	int fd, code, n;

	n = snprintf(path, sizeof(path), "%s/%s", dir, file);
	if (n < 0 || n >= PATH_MAX ||
		snprintf(temporary, sizeof(temporary), "%s/" TEMPORARY "XXXXXX", dir) >= PATH_MAX)
		return error__errno(err, -ENAMETOOLONG, "%s", dir);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return error__errno(err, -errno, "%s", dir);
	code = fn(fd, ctx);
	if (!code && (fchmod(fd, mode) < 0 || fdatasync(fd) < 0))
		code = -errno;
	if (close(fd) < 0 && !code)
		code = -errno;
	if (!code && rename(temporary, path) < 0)
		code = -errno;
	if (!code)
		return 0;
	unlink(temporary);
	return error__errno(err, code, "%s", path);
}

/* The link from the build-id to @target, a directory below @dir. */
static int put_link(const char *dir, const char *hex, const char *target, struct error *err)
{
	char path[PATH_MAX], temporary[PATH_MAX], there[PATH_MAX], wanted[PATH_MAX];
	ssize_t n;
	int tries, code;

	if (snprintf(path, sizeof(path), "%s/.build-id/%.2s", dir, hex) >= PATH_MAX - 64 ||
		snprintf(wanted, sizeof(wanted), "../..%s", target + strlen(dir)) >= PATH_MAX)
		return error__errno(err, -ENAMETOOLONG, "%s", dir);
	code = make_directories(path);
	if (code)
		return error__errno(err, code, "%s", path);
	snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s", dir, hex, hex + 2);
	n = readlink(path, there, sizeof(there) - 1);
	if (n > 0) {
		there[n] = '\0';
		if (!strcmp(there, wanted))
			return 0;
	}
	for (tries = 0; tries < 100; tries++) {
		if (snprintf(temporary, sizeof(temporary), "%s/.build-id/%.2s/" TEMPORARY "%d.%d",
			    dir, hex, getpid(), tries) >= PATH_MAX)
			return error__errno(err, -ENAMETOOLONG, "%s", dir);
		if (!symlink(wanted, temporary)) {
			if (!rename(temporary, path))
				return 0;
			code = -errno;
			unlink(temporary);
			return error__errno(err, code, "%s", path);
		}
		if (errno != EEXIST)
			break;
	}
	return error__errno(err, -errno, "%s", path);
}

int store__put(const char *dir, const char *name, const uint8_t *build_id, size_t size,
	const char *file, unsigned int mode, store_write_fn *fn, void *ctx, struct error *err)
{
	char hex[HEX_MAX], path[PATH_MAX];
	int code;

	if (size < 2 || size > PERFSTAMP_BUILD_ID_MAX)
		return error__set(err, -EINVAL, "%s: a build-id of %zu bytes", name, size);
	text__hex(hex, sizeof(hex), build_id, size);
	if (snprintf(path, sizeof(path), "%s%s%s/%s", dir, *name == '/' ? "" : "/", name, hex) >=
		PATH_MAX)
		return error__errno(err, -ENAMETOOLONG, "%s", name);
	code = make_directories(path);
	if (code)
		return error__errno(err, code, "%s", path);
	clean(path);
	code = put_file(path, file, mode, fn, ctx, err);
	return code ? code : put_link(dir, hex, path, err);
}

int store__put_part(const char *dir, const char *name, const uint8_t *build_id, size_t size,
	const char *part, const char *file, unsigned int mode, store_write_fn *fn, void *ctx,
	struct error *err)
{
	char hex[HEX_MAX], path[PATH_MAX];
	int code;

	if (size < 2 || size > PERFSTAMP_BUILD_ID_MAX)
		return error__set(err, -EINVAL, "%s: a build-id of %zu bytes", name, size);
	text__hex(hex, sizeof(hex), build_id, size);
	if (snprintf(path, sizeof(path), "%s/%s/%s/%s", dir, name, hex, part) >= PATH_MAX)
		return error__errno(err, -ENAMETOOLONG, "%s", name);
	code = make_directories(path);
	if (code)
		return error__errno(err, code, "%s", path);
	code = put_file(path, file, mode, fn, ctx, err);
	if (!code)
		return 0;
	/* Those of them that are empty: the part's, the build-id's, the name's. */
	for (int i = 0; i < 3 && !rmdir(path); i++)
		*strrchr(path, '/') = '\0';
	return code;
}

int store__has(const char *dir, const uint8_t *build_id, size_t size, const char *file)
{
	char hex[HEX_MAX], path[PATH_MAX];

	text__hex(hex, sizeof(hex), build_id, size);
	return size >= 2 &&
	       snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s/%s", dir, hex, hex + 2, file) <
		       PATH_MAX &&
	       !access(path, F_OK);
}
