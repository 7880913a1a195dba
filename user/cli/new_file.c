// SPDX-License-Identifier: GPL-2.0-only
/* See new_file.h. */
#include "user/cli/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/cli/cli.h"
#include "user/record/files/output.h"
#include "user/store/files/temporary.h"

int new_file__open(struct new_file *file, const char *path, bool force)
{
	struct stat st;

	*file = (struct new_file){.path = path, .fd = -1, .force = force};
	if (!lstat(path, &st) && !force)
		return cli__fail("%s: exists; -f replaces it", path);
	if (asprintf(&file->part, "%s.XXXXXX", path) < 0) {
		file->part = NULL;
		cli__fail("out of memory");
		return CLI_FAILED;
	}
	file->fd = mkostemp(file->part, O_CLOEXEC);
	if (file->fd >= 0) {
		temporary__add(file->part);
		return CLI_DONE;
	}
	free(file->part);
	file->part = NULL;
	cli__fail("%s: cannot create: %s", path, strerror(errno));
	return CLI_FAILED;
}

/* Renames the file. Without .force, it does not replace a file that appeared meanwhile. */
static int take_name(const struct new_file *file)
{
	unsigned int flags = file->force ? 0 : RENAME_NOREPLACE;

	if (fsync(file->fd))
		return -errno;
	if (!renameat2(AT_FDCWD, file->part, AT_FDCWD, file->path, flags))
		return 0;
	if (file->force || errno != EINVAL)
		return -errno;
	/* RENAME_NOREPLACE is not supported here. link() also refuses an existing name. */
	if (link(file->part, file->path))
		return -errno;
	unlink(file->part);
	return 0;
}

int new_file__finish(struct new_file *file)
{
	int err = take_name(file);

	if (err)
		return cli__fail("%s: %s", file->path, strerror(-err));
	temporary__forget(file->part);
	free(file->part);
	file->part = NULL;
	return CLI_DONE;
}

void new_file__free(struct new_file *file)
{
	if (file->part) {
		unlink(file->part);
		temporary__forget(file->part);
	}
	free(file->part);
	if (file->fd >= 0)
		close(file->fd);
	*file = (struct new_file){.fd = -1};
}

static int write_to(FILE *out, const char *path, int (*write)(void *ctx, FILE *out), void *ctx)
{
	int code, failed = 0;

	if (!out)
		return cli__fail("%s: %s", path, strerror(errno));
	/* The stream remembers that it failed, but not why. */
	errno = 0;
	code = write(ctx, out);
	if (ferror(out))
		failed = errno ? errno : EIO;
	if (code)
		cli__fail("out of memory");
	if (out == stdout)
		return code ? CLI_FAILED : CLI_DONE;
	if (fclose(out) && !failed)
		failed = errno;
	if (failed && !code)
		return cli__fail("%s: %s", path, strerror(failed));
	return code ? CLI_FAILED : CLI_DONE;
}

static FILE *open_stream(const struct new_file *file, mode_t mode)
{
	mode_t mask = umask(0);
	int fd = dup(file->fd);

	umask(mask);
	fchmod(file->fd, mode & ~mask);
	return fd < 0 ? NULL : fdopen(fd, "w");
}

/*
 * Whether @path links to a regular file, whose name is then @target. The kernel follows the link,
 * since it may forbid this (fs.protected_symlinks), which realpath(3) ignores.
 */
static bool links_to_file(const char *path, char target[PATH_MAX])
{
	int fd = open(path, O_PATH | O_CLOEXEC);
	struct stat st, target_st;
	ssize_t n = -1;
	char proc[32];

	if (fd < 0)
		return false;
	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", fd);
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		n = readlink(proc, target, PATH_MAX - 1);
	close(fd);
	if (n <= 0)
		return false;
	target[n] = '\0';
	/* /dev/stdout may be a file without a name. */
	return !lstat(target, &target_st) && target_st.st_dev == st.st_dev &&
	       target_st.st_ino == st.st_ino;
}

/* Does not create a file: a link may lead nowhere. */
static FILE *open_in_place(const char *path)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	return fd < 0 ? NULL : fdopen(fd, "w");
}

int new_file__write(const char *path, mode_t mode, int (*write)(void *ctx, FILE *out), void *ctx)
{
	char target[PATH_MAX];
	struct new_file file;
	struct stat st;
	int status;

	if (!strcmp(path, "-"))
		return write_to(stdout, path, write, ctx);
	if (!lstat(path, &st) && !S_ISREG(st.st_mode)) {
		if (output__is_planted(path))
			return cli__fail(
				"%s was made by another user, in a directory that everybody can "
				"write to: remove it, or choose another name or directory",
				path);
		if (!links_to_file(path, target))
			return write_to(open_in_place(path), path, write, ctx);
		path = target;
	}
	status = new_file__open(&file, path, true);
	if (status == CLI_DONE)
		status = write_to(open_stream(&file, mode), path, write, ctx);
	if (status == CLI_DONE)
		status = new_file__finish(&file);
	new_file__free(&file);
	return status;
}
