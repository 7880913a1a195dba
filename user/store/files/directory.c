// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the store is: see store__directory in store.h. Reads perf's configuration
 * files, as tools/perf/util/config.c of Linux.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/parse/event/perf_config.h"
#include "user/store/files/store.h"

#define CONFIG_MAX 65536

/* Stores the directory that the configuration file @path names, or "". */
static void read_config(const char *path, char *ret, size_t size)
{
	char *text = calloc(1, CONFIG_MAX + 1);
	struct stat st;
	ssize_t n;
	int fd;

	fd = text ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	/* As in perf, the file must not belong to another user. */
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
		(!st.st_uid || st.st_uid == geteuid())) {
		n = read(fd, text, CONFIG_MAX);
		if (n > 0)
			perf_config__find(text, "buildid", "dir", ret, size);
	}
	if (fd >= 0)
		close(fd);
	free(text);
}

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value && strcmp(value, "0") != 0 && strcasecmp(value, "false") != 0;
}

static void find_configured(const char *home, char *ret, size_t size)
{
	const char *only = getenv("PERF_CONFIG");
	char path[PATH_MAX];

	if (only) {
		read_config(only, ret, size);
		return;
	}
	if (!is_set("PERF_CONFIG_NOSYSTEM"))
		read_config("/etc/perfconfig", ret, size);
	if (!home || is_set("PERF_CONFIG_NOGLOBAL"))
		return;
	snprintf(path, sizeof(path), "%s/.perfconfig", home);
	read_config(path, ret, size);
}

int store__directory(char **ret, const char *given, struct error *err)
{
	const char *home = getenv("HOME"), *told = getenv("PERF_BUILDID_DIR");
	char dir[PATH_MAX] = "";

	if (!given || !*given)
		given = told;
	if (given && *given) {
		*ret = strdup(given);
		return *ret ? 0 : error__set(err, -ENOMEM, "out of memory");
	}
	find_configured(home, dir, sizeof(dir));
	if (*dir)
		*ret = strdup(dir);
	else if (!home || !*home)
		return error__set(
			err, -ENOENT, "HOME is not set: name the cache with --buildid-dir");
	else if (asprintf(ret, "%s/.debug", home) < 0)
		*ret = NULL;
	return *ret ? 0 : error__set(err, -ENOMEM, "out of memory");
}
