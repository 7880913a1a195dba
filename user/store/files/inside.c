// SPDX-License-Identifier: GPL-2.0-only
/* See inside.h. */
#include "user/store/files/inside.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 64 /* of directories that are removed; perf's own have a depth of 3 */

bool inside__is_plain(const char *path)
{
	if (!*path)
		return false;
	for (;;) {
		size_t len = strcspn(path, "/");

		if (!len || len > NAME_MAX || (len == 1 && *path == '.') ||
			(len == 2 && path[0] == '.' && path[1] == '.'))
			return false;
		if (!path[len])
			return true;
		path += len + 1;
	}
}

static int open_directory(int dir, const char *name, bool make)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT && make) {
		/* Another writer may create the directory at the same time. */
		if (mkdirat(dir, name, 0755) < 0 && errno != EEXIST)
			return -errno;
		fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	}
	return fd < 0 ? -errno : fd;
}

int inside__directory(int dir, const char *path, bool make)
{
	int fd = open_directory(dir, ".", false);

	if (fd < 0 || !*path)
		return fd;
	if (!inside__is_plain(path)) {
		close(fd);
		return -EINVAL;
	}
	while (fd >= 0 && *path) {
		char name[NAME_MAX + 1];
		size_t len = strcspn(path, "/");
		int next;

		memcpy(name, path, len);
		name[len] = '\0';
		next = open_directory(fd, name, make);
		close(fd);
		fd = next;
		path += len + (path[len] == '/');
	}
	return fd;
}

int inside__file(int dir, const char *path)
{
	const char *slash = strrchr(path, '/');
	char parent[PATH_MAX] = "";
	struct stat st;
	int fd, code;

	if (!inside__is_plain(path) || strlen(path) >= sizeof(parent))
		return -EINVAL;
	if (slash) {
		memcpy(parent, path, slash - path);
		parent[slash - path] = '\0';
	}
	dir = inside__directory(dir, parent, false);
	if (dir < 0)
		return dir;
	/* O_NONBLOCK: opening a FIFO would wait for a writer. */
	fd = openat(dir, slash ? slash + 1 : path,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	code = fd < 0 ? -errno : 0;
	close(dir);
	if (code)
		return code;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return -ENOENT;
}

static int remove_at(int dir, const char *name, int depth);

/* A handler of signals removes files, so this uses neither opendir(3) nor malloc(3). */
static int remove_content(int fd, int depth)
{
	_Alignas(struct dirent64) char entries[2048];
	ssize_t n = 0;
	int code = 0;

	while (!code && (n = getdents64(fd, entries, sizeof(entries))) > 0)
		for (ssize_t at = 0; !code && at < n;) {
			const struct dirent64 *entry = (const void *)(entries + at);

			if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
				code = remove_at(fd, entry->d_name, depth);
			at += entry->d_reclen;
		}
	return n < 0 ? -errno : code;
}

static int remove_at(int dir, const char *name, int depth)
{
	int fd, code;

	if (!unlinkat(dir, name, 0) || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -errno;
	if (!depth)
		return -ELOOP;
	fd = open_directory(dir, name, false);
	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	code = remove_content(fd, depth - 1);
	close(fd);
	if (!code && unlinkat(dir, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
		code = -errno;
	return code;
}

int inside__remove(int dir, const char *name)
{
	return remove_at(dir, name, DEPTH_MAX);
}

int inside__for_each(int dir, inside_name_fn *fn, void *ctx)
{
	int copy = open_directory(dir, ".", false), code = 0;
	DIR *stream = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	if (!stream) {
		if (copy >= 0)
			close(copy);
		return copy < 0 ? copy : -ENOMEM;
	}
	while (!code && (entry = readdir(stream)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			code = fn(ctx, dir, entry->d_name);
	closedir(stream);
	return code;
}
