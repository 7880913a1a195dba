// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths of cgroups by open_by_handle_at(2). The handle is kernfs's own: type
 * 0xfe with the 64-bit id (FILEID_KERNFS in include/linux/exportfs.h, Linux 5.5).
 */
#include "user/source/containers/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/parse/container.h"
#include "user/source/proc/file.h"

#define FILEID_KERNFS 0xfe

struct cgroup_paths {
	int mount_fd;
	char mount[PATH_MAX]; /* as readlink shows it; empty for "/" */
};

/* mountinfo(5) writes space, tab, newline and backslash as octal. */
static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (text[0] == '\\' && text[1] && text[2] && text[3]) {
			*to++ = (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

bool cgroup_mount__find(char *ret, size_t size)
{
	char *text, *line, *save, root[PATH_MAX] = "", point[PATH_MAX];
	bool found = false;

	if (proc_file__read(&text, NULL, "/proc/self/mountinfo"))
		return false;
	/* A mount of only a part of the hierarchy may be listed before the mount of the whole. */
	for (line = strtok_r(text, "\n", &save); line && strcmp(root, "/") != 0;
		line = strtok_r(NULL, "\n", &save)) {
		const char *type = strstr(line, " - ");

		/* id, parent, device, root, mount point, …, "-", type */
		if (!type || strncmp(type + 3, "cgroup2 ", 8) ||
			sscanf(line, "%*s %*s %*s %4095s %4095s", root, point) != 2 ||
			(found && strcmp(root, "/") != 0))
			continue;
		unescape(point);
		snprintf(ret, size, "%s", strcmp(point, "/") ? point : "");
		found = true;
	}
	free(text);
	return found;
}

int cgroup_paths__new(struct cgroup_paths **ret, struct error *err)
{
	struct cgroup_paths *paths = calloc(1, sizeof(*paths));

	if (!paths)
		return error__errno(err, -ENOMEM, "cgroups");
	if (!cgroup_mount__find(paths->mount, sizeof(paths->mount))) {
		free(paths);
		return error__set(err, -ENOENT, "cgroup2 is not mounted: cgroups have no paths");
	}
	paths->mount_fd = open(
		*paths->mount ? paths->mount : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (paths->mount_fd < 0) {
		int r = -errno;

		error__errno(err, r, "%s", paths->mount);
		free(paths);
		return r;
	}
	*ret = paths;
	return 0;
}

/* Documentation/admin-guide/cgroup-v2.rst: every cgroup but the root has this file. */
bool cgroup_paths__are_all(const struct cgroup_paths *paths)
{
	return faccessat(paths->mount_fd, "cgroup.events", F_OK, 0) < 0;
}

void cgroup_paths__free(struct cgroup_paths *paths)
{
	if (!paths)
		return;
	close(paths->mount_fd);
	free(paths);
}

/* Returns the path of @fd, relative to the mount. */
static int path_of_fd(const struct cgroup_paths *paths, int fd, char *ret, size_t size)
{
	size_t mount_len = strlen(paths->mount), len;
	char link[64], path[PATH_MAX + 16];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 0)
		return -errno;
	path[n] = '\0';
	len = strlen(" (deleted)");
	if ((size_t)n > len && !strcmp(path + n - len, " (deleted)"))
		return -ENOENT;
	/* A cgroup outside of a container's mount has another path. */
	if (strncmp(path, paths->mount, mount_len) || (path[mount_len] && path[mount_len] != '/'))
		return -ENOENT;
	len = snprintf(ret, size, "%s", path[mount_len] ? path + mount_len : "/");
	return len < size ? 0 : -ENAMETOOLONG;
}

int cgroup_paths__id(const struct cgroup_paths *paths, const char *path, uint64_t *ret)
{
	struct stat st;

	if (path[0] != '/' || proc_cgroup__is_outside(path))
		return -ENOENT;
	if (fstatat(paths->mount_fd, path[1] ? path + 1 : ".", &st, AT_NO_AUTOMOUNT))
		return -errno;
	*ret = st.st_ino;
	return 0;
}

bool cgroup_paths__is_delegated(const struct cgroup_paths *paths, const char *path)
{
	struct stat st;

	return path[0] == '/' && path[1] &&
	       !fstatat(paths->mount_fd, path + 1, &st, AT_NO_AUTOMOUNT) && st.st_uid;
}

int cgroup_paths__find(const struct cgroup_paths *paths, uint64_t id, char *ret, size_t size)
{
	struct {
		struct file_handle handle;
		uint64_t id; /* handle.f_handle, which has no size of its own */
	} handle = {
		.handle = {.handle_bytes = sizeof(uint64_t), .handle_type = FILEID_KERNFS},
		.id = id,
	};
	int fd, r;

	_Static_assert(sizeof(struct file_handle) == 8, "the id stands right behind it");
	fd = open_by_handle_at(paths->mount_fd, &handle.handle, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return errno == ESTALE ? -ENOENT : -errno;
	r = path_of_fd(paths, fd, ret, size);
	close(fd);
	return r;
}

struct walk {
	int (*fn)(void *ctx, uint64_t id, const char *path);
	void *ctx;
	char path[PATH_MAX]; /* path of the current directory; empty for the root */
};

/* Closes @fd. A cgroup that is removed meanwhile is skipped. */
static int walk_directory(struct walk *walk, int fd)
{
	size_t length = strlen(walk->path);
	DIR *dir = fdopendir(fd);
	struct dirent *entry;
	struct stat st;
	int r = 0;

	if (!dir) {
		r = -errno;
		close(fd);
		return r;
	}
	if (!fstat(fd, &st))
		r = walk->fn(walk->ctx, st.st_ino, length ? walk->path : "/");
	while (!r && (entry = readdir(dir))) {
		size_t room = sizeof(walk->path) - length;
		int child;

		if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") ||
			!strcmp(entry->d_name, "..") ||
			(size_t)snprintf(walk->path + length, room, "/%s", entry->d_name) >= room)
			continue;
		child = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (child >= 0)
			r = walk_directory(walk, child);
	}
	walk->path[length] = '\0';
	closedir(dir);
	return r;
}

int cgroup_paths__walk(const struct cgroup_paths *paths,
	int (*fn)(void *ctx, uint64_t id, const char *path), void *ctx)
{
	struct walk walk = {.fn = fn, .ctx = ctx};
	int fd = openat(paths->mount_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : walk_directory(&walk, fd);
}
