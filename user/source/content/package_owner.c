// SPDX-License-Identifier: GPL-2.0-only
/*
 * See package_owner.h. dpkg's lists have the paths from the package's archive: where /lib is a link
 * to /usr/lib, a list may have /lib for a file at /usr/lib.
 */
#include "user/source/content/package_owner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_SIZE_MAX (32 << 20) /* bytes */

static char *read_list(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char *text = NULL;
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= LIST_SIZE_MAX)
		text = malloc(st.st_size + 1);
	n = text ? read(fd, text, st.st_size) : 0;
	if (text)
		text[n > 0 ? n : 0] = '\0';
	close(fd);
	return text;
}

static int is_line(const char *text, const char *path)
{
	size_t len = strlen(path);
	const char *at = text;

	while ((at = strstr(at, path))) {
		if ((at == text || at[-1] == '\n') && (at[len] == '\n' || !at[len]))
			return 1;
		at += len;
	}
	return 0;
}

static int has_path(const char *text, const char *path)
{
	return is_line(text, path) ||
	       (!strncmp(path, "/usr/", strlen("/usr/")) && is_line(text, path + strlen("/usr")));
}

static char *package_of(const char *list)
{
	return strndup(list, strcspn(list, ":") < strlen(list) ? strcspn(list, ":")
							       : strlen(list) - strlen(".list"));
}

/* The length of the path of the process's root, seen from the root of its mount namespace. */
static size_t length_of_root(pid_t pid)
{
	char link[32], root[PATH_MAX];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/%d/root", pid);
	len = readlink(link, root, sizeof(root));
	return len > 1 ? len : 0;
}

int package_owner__find(pid_t pid, const char *const *paths, size_t n, char **ret_names)
{
	size_t left = n, len, root_len;
	struct dirent *entry;
	char path[64], *text;
	DIR *dir;

	memset(ret_names, 0, n * sizeof(*ret_names));
	root_len = length_of_root(pid);
	snprintf(path, sizeof(path), "/proc/%d/root/var/lib/dpkg/info", pid);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while (left && (entry = readdir(dir))) {
		len = strlen(entry->d_name);
		if (len <= strlen(".list") ||
			strcmp(entry->d_name + len - strlen(".list"), ".list") != 0)
			continue;
		text = read_list(dirfd(dir), entry->d_name);
		for (size_t i = 0; text && i < n; i++) {
			if (ret_names[i] || strlen(paths[i]) <= root_len ||
				!has_path(text, paths[i] + root_len))
				continue;
			ret_names[i] = package_of(entry->d_name);
			left--;
		}
		free(text);
	}
	closedir(dir);
	return 0;
}
