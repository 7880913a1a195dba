// SPDX-License-Identifier: GPL-2.0-only
/*
 * path_look: see path_look.h. /proc/PID/root leads into the mount namespace of the process.
 * /proc/PID/maps has paths from the root of that namespace. The root of the process itself may be
 * below it (chroot); then the link /proc/PID/root has its path.
 */
#include "user/source/content/path_look.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Opens the root of @pid. */
static int open_root(pid_t pid)
{
	char link[32];
	int fd;

	snprintf(link, sizeof(link), "/proc/%d/root", pid);
	fd = open(link, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static bool shares_our_namespace(pid_t pid)
{
	struct stat own, theirs;
	char link[32];

	snprintf(link, sizeof(link), "/proc/%d/ns/mnt", pid);
	return !stat("/proc/self/ns/mnt", &own) && !stat(link, &theirs) &&
	       own.st_dev == theirs.st_dev && own.st_ino == theirs.st_ino;
}

/*
 * Opens the root that *@path is below, and removes that root from *@path. Returns a descriptor or
 * -errno.
 */
static int open_base(pid_t pid, const char **path)
{
	char link[32], root[PATH_MAX];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/%d/root", pid);
	len = readlink(link, root, sizeof(root) - 1);
	if (len < 0)
		return -errno;
	root[len] = '\0';
	if (!strcmp(root, "/"))
		return open_root(pid);
	if (!strncmp(*path, root, len) && (*path)[len] == '/') {
		*path += len;
		return open_root(pid);
	}
	if (shares_our_namespace(pid)) {
		int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

		return fd < 0 ? -errno : fd;
	}
	return -EXDEV;
}

static int open_in(int root, const char *path, uint64_t flags)
{
	struct open_how how = {
		.flags = flags | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int fd = syscall(SYS_openat2, root, path, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

/*
 * Closes @root. Checks the file type first, because opening a device or a pipe could have
 * effects.
 */
static int open_regular(int root, const char *path)
{
	int fd = open_in(root, path, O_PATH), readable;
	struct stat st;
	char link[32];

	close(root);
	if (fd == -ENOTDIR || fd == -ELOOP)
		return -ENOENT;
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return -ENOENT;
	}
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	readable = open(link, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (readable < 0)
		readable = -errno;
	close(fd);
	return readable;
}

int path_look__open(pid_t pid, const char *path)
{
	int root = open_base(pid, &path);

	return root < 0 ? root : open_regular(root, path);
}

int path_look__open_own(pid_t pid, const char *path)
{
	int root = open_root(pid);

	return root < 0 ? root : open_regular(root, path);
}

uint64_t path_look__directory_ns(pid_t pid, const char *path)
{
	int root = open_base(pid, &path), fd = -ENOENT;
	char *copy = root < 0 ? NULL : strdup(path), *slash;
	uint64_t ret = 0;
	struct stat st;

	while (copy && fd == -ENOENT && (slash = strrchr(copy, '/')) && *copy) {
		*slash = '\0';
		fd = open_in(root, *copy ? copy : "/", O_PATH | O_DIRECTORY);
	}
	if (fd >= 0 && !fstat(fd, &st))
		ret = (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec;
	if (fd >= 0)
		close(fd);
	if (root >= 0)
		close(root);
	free(copy);
	return ret;
}
