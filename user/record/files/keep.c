// SPDX-License-Identifier: GPL-2.0-only
/* See keep.h. */
#include "user/record/files/keep.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/record/files/recognize.h"
#include "user/source/machine/clock.h"

#define STAMP_LENGTH 16 /* YYYYMMDDHHMMSSff */

struct complete {
	char *name; /* name below the directory */
	uint64_t bytes;
	uint64_t time_ns; /* since the epoch */
};

struct list {
	struct complete *v;
	size_t n;
	size_t room;
};

static bool is_name(const char *name, const char *base)
{
	size_t length = strlen(base);

	if (strncmp(name, base, length) != 0 || name[length] != '.')
		return false;
	name += length + 1;
	for (length = 0; isdigit((unsigned char)name[length]); length++)
		;
	return length == STAMP_LENGTH && !name[length];
}

static int add(struct list *list, const char *name, const struct stat *st)
{
	char *copy = strdup(name);

	if (!copy || array__reserve(&list->v, &list->room, list->n + 1, sizeof(*list->v))) {
		free(copy);
		return -ENOMEM;
	}
	list->v[list->n++] = (struct complete){
		copy, st->st_size, st->st_mtim.tv_sec * 1000000000ull + st->st_mtim.tv_nsec};
	return 0;
}

static int find(struct list *ret, DIR *directory, const char *base)
{
	struct dirent *entry;
	struct stat st;
	int code = 0;

	while (!code && (entry = readdir(directory)))
		if (is_name(entry->d_name, base) &&
			!fstatat(dirfd(directory), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
			S_ISREG(st.st_mode))
			code = add(ret, entry->d_name, &st);
	return code;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct complete *)a)->name, ((const struct complete *)b)->name);
}

static bool is_too_old(const struct complete *file, const struct keep_budget *budget)
{
	uint64_t now_ns = clock__now(CLOCK_REALTIME);

	return budget->age_ns && now_ns > file->time_ns && now_ns - file->time_ns > budget->age_ns;
}

/* Removes the oldest files first; files of other programs are not counted. */
static int trim(
	int directory, struct list *list, const struct keep_budget *budget, size_t *ret_removed)
{
	uint64_t bytes = 0;
	int code = 0;

	for (size_t i = 0; i < list->n; i++)
		bytes += list->v[i].bytes;
	for (size_t i = 0; i + 1 < list->n; i++) {
		const struct complete *file = &list->v[i];

		if (!is_too_old(file, budget) && (!budget->bytes || bytes <= budget->bytes))
			continue;
		if (recognize__file(directory, file->name) == RECOGNIZED_NOT) {
			bytes -= file->bytes;
			continue;
		}
		if (!unlinkat(directory, file->name, 0)) {
			++*ret_removed;
		} else if (errno != ENOENT) {
			code = -errno;
			continue;
		}
		/* Somebody else may have removed it. */
		bytes -= file->bytes;
	}
	return code;
}

int keep__trim(
	const char *path, const struct keep_budget *budget, size_t *ret_removed, struct error *err)
{
	const char *base = strrchr(path, '/');
	char folder[PATH_MAX] = ".";
	struct list list = {0};
	DIR *directory;
	int code;

	*ret_removed = 0;
	if (base && base - path + 1 < (int)sizeof(folder))
		snprintf(folder, sizeof(folder), "%.*s", (int)(base - path) + 1, path);
	base = base ? base + 1 : path;
	directory = opendir(folder);
	if (!directory)
		return error__errno(err, -errno, "--keep: %s", folder);
	code = find(&list, directory, base);
	if (!code && list.n) {
		qsort(list.v, list.n, sizeof(*list.v), by_name);
		code = trim(dirfd(directory), &list, budget, ret_removed);
	}
	for (size_t i = 0; i < list.n; i++)
		free(list.v[i].name);
	free(list.v);
	closedir(directory);
	return code ? error__errno(err, code, "--keep: %s", folder) : 0;
}
