// SPDX-License-Identifier: GPL-2.0-only
/* See files.h. */
#include "user/cli/push/files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "user/base/array.h"

#define STAMP_DIGITS 16 /* YYYYmmddHHMMSSff behind a dot: user/record/files/series.h */

static void forget(struct push_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		free(files->v[i].path);
	files->n = 0;
	files->failed = 0;
}

void push_files__free(struct push_files *files)
{
	forget(files);
	free(files->v);
}

static const char *stamp_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	if (!dot || strlen(dot + 1) != STAMP_DIGITS)
		return NULL;
	for (const char *at = dot + 1; *at; at++)
		if (!isdigit((unsigned char)*at))
			return NULL;
	return dot + 1;
}

/* Examines a path. For a recording that is a directory, the file with its header counts. */
static int look_at(const char *path, struct stat *ret)
{
	char *data;
	int code = 0;

	if (stat(path, ret) < 0)
		return -errno;
	if (!S_ISDIR(ret->st_mode))
		return S_ISREG(ret->st_mode) ? 0 : -EINVAL;
	if (asprintf(&data, "%s/data", path) < 0)
		return -ENOMEM;
	if (stat(data, ret) < 0)
		code = -errno;
	free(data);
	return code;
}

static void pass_over(struct push_files *files, const char *path, int code)
{
	if (!files->failed)
		files->failed = error__errno(&files->why, code, "%s", path);
}

/* Adds a file. Takes ownership of @path, also on failure. Returns 0 or -ENOMEM. */
static int add(struct push_files *files, char *path, bool named)
{
	struct push_file file = {.path = path, .named = named};
	int code = path ? look_at(path, &file.st) : -ENOMEM;
	/* In a directory, files may be removed meanwhile, or may not be recordings. */
	bool expected = !named && (code == -ENOENT || code == -EINVAL || code == -ENOTDIR);

	if (!code)
		code = array__reserve(&files->v, &files->room, files->n + 1, sizeof(*files->v));
	if (!code) {
		files->v[files->n++] = file;
		return 0;
	}
	if (code != -ENOMEM && !expected)
		pass_over(files, path, code);
	free(path);
	return code == -ENOMEM ? code : 0;
}

static int by_stamp(const void *a, const void *b)
{
	const struct push_file *x = a, *y = b;
	int order = strcmp(stamp_of(x->path), stamp_of(y->path));

	return order ? order : strcmp(x->path, y->path);
}

static int add_directory(struct push_files *files, const char *path)
{
	size_t first = files->n;
	DIR *directory = opendir(path);
	struct dirent *entry;
	char *name;
	int code = 0;

	if (!directory) {
		pass_over(files, path, -errno);
		return 0;
	}
	while (!code && (entry = readdir(directory))) {
		if (!stamp_of(entry->d_name))
			continue;
		if (asprintf(&name, "%s/%s", path, entry->d_name) < 0)
			name = NULL;
		code = add(files, name, false);
	}
	closedir(directory);
	if (files->n > first)
		qsort(files->v + first, files->n - first, sizeof(*files->v), by_stamp);
	return code;
}

static bool is_recording(const char *path)
{
	char *data = NULL;
	bool ret = asprintf(&data, "%s/data", path) >= 0 && !access(data, F_OK);

	free(data);
	return ret;
}

/*
 * Maps all other errors to -ENODATA: they are conditions of this machine that may end, such as
 * permissions, I/O or a server.
 */
static int code_of(int code)
{
	return !code || code == -EBADMSG || code == -ENOENT || code == -ENOMEM ? code : -ENODATA;
}

int push_file__read(const struct push_file *file, const struct input_tap *tap, bool force,
	struct input *ret, struct error *err)
{
	int code = input__read_with(ret, file->path, tap, err);

	/* If the file is no recording, the error text does not contain its name. */
	if (code)
		return code_of(code);
	if (file->named && !force && ret->unfinished)
		return error__set(err, -EBADMSG,
			"%s: it is still being written, or its recorder was killed; --force pushes "
			"what it has",
			file->path);
	return 0;
}

int push_files__find(struct push_files *ret, char *const *paths, size_t n_paths, struct error *err)
{
	struct stat st;
	int code = 0;

	forget(ret);
	for (size_t i = 0; i < n_paths && !code; i++) {
		if (stat(paths[i], &st) < 0)
			pass_over(ret, paths[i], -errno);
		else if (S_ISDIR(st.st_mode) && !is_recording(paths[i]))
			code = add_directory(ret, paths[i]);
		else
			code = add(ret, strdup(paths[i]), true);
	}
	return code ? error__set(err, code, "out of memory") : 0;
}

int push_file__digest(const struct push_file *file, uint8_t ret[DIGEST_SIZE], struct error *err)
{
	char *path;
	int fd, code;

	if (asprintf(&path, "%s/data", file->path) < 0)
		return error__set(err, -ENOMEM, "out of memory");
	fd = open(file->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	fd = open(fd >= 0 ? path : file->path, O_RDONLY | O_CLOEXEC);
	free(path);
	code = fd < 0 ? -errno : digest__sha256(fd, ret);
	if (fd >= 0)
		close(fd);
	if (code)
		error__errno(err, code, "%s", file->path);
	return code_of(code);
}
