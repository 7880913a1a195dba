// SPDX-License-Identifier: GPL-2.0-only
/* See series.h. */
#include "user/record/files/series.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "user/base/array.h"
#include "user/source/machine/clock.h"

#define STAMP_SIZE 17 /* YYYYMMDDHHMMSSff and NUL */
#define HUNDREDTH_NS 10000000ull

struct series {
	const char *path;
	char next[PATH_MAX]; /* hidden name of the next file */
	char name[PATH_MAX]; /* name of the file that was renamed last */
	uint64_t newest;     /* time in that name, in hundredths of a second since the epoch */
	char (*names)[STAMP_SIZE];
	size_t n;
	size_t first; /* names before this one were removed */
	size_t room;
};

int series__new(struct series **ret, const char *path, struct error *err)
{
	struct series *series = calloc(1, sizeof(*series));
	const char *base = strrchr(path, '/');
	int length;

	if (!series)
		return error__set(err, -ENOMEM, "out of memory");
	base = base ? base + 1 : path;
	series->path = path;
	length = snprintf(
		series->next, sizeof(series->next), "%.*s.%s.next", (int)(base - path), path, base);
	if (length >= (int)sizeof(series->next) ||
		strlen(path) + 1 + STAMP_SIZE > sizeof(series->name)) {
		free(series);
		return error__set(err, -ENAMETOOLONG, "%s: the name is too long", path);
	}
	*ret = series;
	return 0;
}

void series__free(struct series *series)
{
	if (!series)
		return;
	free(series->names);
	free(series);
}

static int add_name(struct series *series, const char *stamp)
{
	if (series->first && series->n == series->room) {
		series->n -= series->first;
		memmove(series->names, series->names + series->first,
			series->n * sizeof(*series->names));
		series->first = 0;
	}
	if (array__reserve(&series->names, &series->room, series->n + 1, sizeof(*series->names)))
		return -ENOMEM;
	memcpy(series->names[series->n++], stamp, STAMP_SIZE);
	return 0;
}

/* As fetch_current_timestamp() of perf. */
static void make_stamp(char *ret, uint64_t hundredths)
{
	time_t seconds = hundredths / 100;
	struct tm tm;

	localtime_r(&seconds, &tm);
	strftime(ret, STAMP_SIZE, "%Y%m%d%H%M%S", &tm);
	snprintf(ret + 14, STAMP_SIZE - 14, "%02u", (unsigned int)(hundredths % 100));
}

static void make_name(char *ret, size_t size, const struct series *series, const char *stamp)
{
	snprintf(ret, size, "%s.%s", series->path, stamp);
}

/* Renames @path to the first free name from @at on, which is then in *@stamp. */
static int take_name(
	struct series *series, const char *path, uint64_t at, char *stamp, struct error *err)
{
	char name[sizeof(series->name)];

	make_name(name, sizeof(name), series, stamp);
	while (renameat2(AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE) < 0) {
		if (errno == EINVAL && access(name, F_OK) < 0 && !rename(path, name))
			break; /* the file system does not support the flag */
		if (errno != EEXIST)
			return error__errno(err, -errno, "cannot rename %s to %s", path, name);
		make_stamp(stamp, ++at);
		make_name(name, sizeof(name), series, stamp);
	}
	memcpy(series->name, name, sizeof(name));
	series->newest = at;
	return 0;
}

static int put_away(
	struct series *series, const char *path, const char **ret_name, struct error *err)
{
	uint64_t at = clock__now(CLOCK_REALTIME) / HUNDREDTH_NS;
	char stamp[STAMP_SIZE], last[STAMP_SIZE] = "";
	int code;

	if (series->n)
		memcpy(last, series->names[series->n - 1], sizeof(last));
	if (at <= series->newest)
		at = series->newest + 1;
	make_stamp(stamp, at);
	/*
	 * The clock was set back, or summer time has ended: the name must still sort after the last
	 * one.
	 */
	while (strcmp(stamp, last) <= 0)
		make_stamp(stamp, ++at);
	code = take_name(series, path, at, stamp, err);
	if (code)
		return code;
	*ret_name = series->name;
	return add_name(series, stamp) ? error__set(err, -ENOMEM, "out of memory") : 0;
}

int series__put_away(struct series *series, const char **ret_name, struct error *err)
{
	return put_away(series, series->path, ret_name, err);
}

int series__put_next_away(struct series *series, const char **ret_name, struct error *err)
{
	return put_away(series, series->next, ret_name, err);
}

int series__put_left_away(struct series *series, const char **ret_name, struct error *err)
{
	uint64_t now = clock__now(CLOCK_REALTIME) / HUNDREDTH_NS, at;
	char stamp[STAMP_SIZE];
	struct stat st;
	int code;

	if (stat(series->path, &st) < 0)
		return error__errno(err, -errno, "%s", series->path);
	at = (st.st_mtim.tv_sec * 1000000000ull + st.st_mtim.tv_nsec) / HUNDREDTH_NS;
	/* The clock was set back meanwhile. */
	if (at > now)
		at = now;
	make_stamp(stamp, at);
	code = take_name(series, series->path, at, stamp, err);
	if (!code)
		*ret_name = series->name;
	return code;
}

const char *series__last(const struct series *series)
{
	return series->name[0] ? series->name : NULL;
}

int series__make_next(struct series *series, int *ret_fd, struct error *err)
{
	/* Removes the unused file of a killed recorder. */
	unlink(series->next);
	*ret_fd = open(series->next, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	return *ret_fd < 0 ? error__errno(err, -errno, "cannot write %s", series->next) : 0;
}

int series__show_next(struct series *series, struct error *err)
{
	if (rename(series->next, series->path) < 0)
		return error__errno(
			err, -errno, "cannot rename %s to %s", series->next, series->path);
	return 0;
}

void series__drop_next(const struct series *series)
{
	unlink(series->next);
}

size_t series__n(const struct series *series)
{
	return series->n - series->first;
}

int series__remove_oldest(struct series *series, struct error *err)
{
	char name[PATH_MAX];

	make_name(name, sizeof(name), series, series->names[series->first++]);
	/* The user may have removed it. */
	if (unlink(name) < 0 && errno != ENOENT)
		return error__errno(err, -errno, "cannot remove %s", name);
	return 0;
}
