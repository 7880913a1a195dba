// SPDX-License-Identifier: GPL-2.0-only
/* See output.h. */
#include "user/record/files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/io/pipe.h"
#include "user/record/files/old_directory.h"

static int old_name(char *ret, size_t size, const char *path)
{
	return snprintf(ret, size, "%s.old", path) < (int)size ? 0 : -ENAMETOOLONG;
}

static int keep_old(const char *path, bool *ret_kept, struct error *err)
{
	char old[PATH_MAX + 4];
	struct stat st;

	int code;

	if (stat(path, &st) < 0)
		return 0;
	/* `perf record --threads' writes such a directory. */
	if (S_ISDIR(st.st_mode) ? !old_directory__is_recording(path)
				: !S_ISREG(st.st_mode) || st.st_size == 0)
		return 0;
	if (old_name(old, sizeof(old), path))
		return error__set(err, -ENAMETOOLONG, "%s.old: the name is too long", path);
	code = old_directory__remove(old, err);
	if (code)
		return code;
	if (rename(path, old) < 0)
		return error__errno(err, -errno, "cannot keep %s as %s", path, old);
	*ret_kept = true;
	return 0;
}

/* The kernel has the same rule on owners (fs.protected_*), but not every machine enables it. */
bool output__is_planted(const char *path)
{
	char dir[PATH_MAX];
	struct stat st, parent;

	if (snprintf(dir, sizeof(dir), "%s", path) >= (int)sizeof(dir) ||
		stat(dirname(dir), &parent) < 0 || !(parent.st_mode & S_IWOTH))
		return false;
	/* If the file does not exist, another user may create it. */
	return lstat(path, &st) < 0 || (st.st_uid != geteuid() && st.st_uid != parent.st_uid) ||
	       (S_ISREG(st.st_mode) && st.st_nlink > 1);
}

/*
 * Opens the FIFO @fd again, for writing alone: a process that has it open for reading as well does
 * not notice that all other readers have ended. Waits for a reader. Closes @fd.
 */
static int open_fifo(int *fd, const char *path, struct error *err)
{
	char name[64];
	int again, code;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", *fd);
	again = open(name, O_WRONLY | O_CLOEXEC);
	code = again < 0 ? -errno : 0;
	close(*fd);
	*fd = again;
	if (code)
		return error__errno(err, code, "cannot write %s", path);
	code = pipe__await_reader(again);
	if (code) {
		close(again);
		*fd = -1;
	}
	return code ? error__errno(err, code, "no process reads %s", path) : 0;
}

int output__open(struct output *ret, const char *path, struct error *err)
{
	struct stat st;
	int code;

	if (!strcmp(path, "-")) {
		if (isatty(STDOUT_FILENO))
			return error__set(err, -EINVAL,
				"standard output is a terminal: redirect it, or name a file with "
				"-o");
		ret->fd = STDOUT_FILENO;
		ret->pipe = true;
		ret->name = "standard output";
		return 0;
	}
	code = keep_old(path, &ret->kept_old, err);
	if (code)
		return code;
	ret->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (ret->fd < 0 && errno == EEXIST) {
		if (output__is_planted(path))
			return error__set(err, -EPERM,
				"%s was made by another user, in a directory that everybody can "
				"write to: remove it, or choose another name or directory",
				path);
		ret->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	}
	if (ret->fd < 0)
		return error__errno(err, -errno, "cannot write %s", path);
	ret->pipe = !fstat(ret->fd, &st) && S_ISFIFO(st.st_mode);
	ret->name = path;
	return ret->pipe ? open_fifo(&ret->fd, path, err) : 0;
}

int output__open_later(struct output *ret, const char *path, struct error *err)
{
	struct stat st;

	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return error__set(err, -EINVAL,
			"%s is not a regular file: files that are written on request have its name "
			"and a time",
			path);
	ret->fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (ret->fd < 0)
		return error__errno(err, -errno, "/dev/null");
	ret->later = true;
	ret->name = path;
	return 0;
}

int output__close(struct output *output, struct error *err)
{
	int fd = output->fd;

	output->fd = -1;
	if (fd < 0 || fd == STDOUT_FILENO)
		return 0;
	if (close(fd) < 0)
		return error__errno(err, -errno, "cannot write %s", output->name);
	return 0;
}

void output__take_back(const struct output *output)
{
	char old[PATH_MAX + 4];

	if (output->pipe || output->later || unlink(output->name) < 0 || !output->kept_old)
		return;
	if (!old_name(old, sizeof(old), output->name))
		rename(old, output->name);
}
