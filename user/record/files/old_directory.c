// SPDX-License-Identifier: GPL-2.0-only
/* See old_directory.h. */
#include "user/record/files/old_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char KCORE_DIR[] = "kcore_dir";

typedef bool is_known_fn(const char *name);

static bool is_of_recording(const char *name)
{
	const char *number = name + strlen("data.");

	if (!strcmp(name, "data") || !strcmp(name, KCORE_DIR))
		return true;
	return !strncmp(name, "data.", strlen("data.")) && *number &&
	       !number[strspn(number, "0123456789")];
}

static bool is_of_kcore(const char *name)
{
	return !strcmp(name, "kcore") || !strcmp(name, "kallsyms") || !strcmp(name, "modules");
}

static bool is_dot(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Handles each entry of the directory @fd that is known. Stops at the first unknown one. */
static int for_each(int fd, is_known_fn *is_known, bool remove, const char *path, struct error *err)
{
	int own = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), code = 0;
	DIR *dir = own < 0 ? NULL : fdopendir(own);
	const struct dirent *entry;

	if (!dir) {
		code = error__errno(err, -errno, "%s", path);
		if (own >= 0)
			close(own);
		return code;
	}
	while (!code && (entry = readdir(dir))) {
		if (is_dot(entry->d_name) || !strcmp(entry->d_name, KCORE_DIR))
			continue;
		if (!is_known(entry->d_name))
			code = error__set(err, -ENOTEMPTY,
				"%s: has '%s', which is not part of a recording: remove or rename "
				"the directory",
				path, entry->d_name);
		else if (remove && unlinkat(fd, entry->d_name, 0))
			code = error__errno(
				err, -errno, "cannot remove %s/%s", path, entry->d_name);
	}
	closedir(dir);
	return code;
}

bool old_directory__is_recording(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;
	bool is_there = fd >= 0 && !fstatat(fd, "data", &st, AT_SYMLINK_NOFOLLOW);

	if (fd >= 0)
		close(fd);
	return is_there;
}

int old_directory__remove(const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), kcore, code;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == ELOOP
			       ? 0
			       : error__errno(err, -errno, "%s", path);
	kcore = openat(fd, KCORE_DIR, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	code = for_each(fd, is_of_recording, false, path, err);
	if (!code && kcore >= 0)
		code = for_each(kcore, is_of_kcore, false, path, err);
	if (!code && kcore >= 0)
		code = for_each(kcore, is_of_kcore, true, path, err);
	if (!code && kcore >= 0 && unlinkat(fd, KCORE_DIR, AT_REMOVEDIR))
		code = error__errno(err, -errno, "cannot remove %s/%s", path, KCORE_DIR);
	if (!code)
		code = for_each(fd, is_of_recording, true, path, err);
	if (!code && rmdir(path))
		code = error__errno(err, -errno, "cannot remove %s", path);
	if (kcore >= 0)
		close(kcore);
	close(fd);
	return code;
}
