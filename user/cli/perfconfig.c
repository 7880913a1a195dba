// SPDX-License-Identifier: GPL-2.0-only
/* See perfconfig.h. */
#include "user/cli/perfconfig.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/cli/cli.h"
#include "user/parse/config.h"

#define SYSTEM_WIDE "/etc/perfconfig"
#define FILE_MAX (1 << 20) /* bytes */

struct reading {
	int (*take)(void *ctx, const struct perfconfig_value *value, struct error *err);
	void *ctx;
	const char *path;
	struct error *err;
};

static int take(void *ctx, const char *key, const char *value, size_t line)
{
	const struct reading *reading = ctx;
	const struct perfconfig_value taken = {reading->path, line, key, value};

	return reading->take(reading->ctx, &taken, reading->err);
}

bool perfconfig__is_trusted(const struct stat *st)
{
	return !st->st_uid || st->st_uid == geteuid();
}

/* Skips a file that does not exist or that we may not read, as in perf. */
static int read_file(const struct reading *reading)
{
	FILE *file = fopen(reading->path, "re");
	struct error *err = reading->err;
	struct stat stat;
	char *text = NULL;
	size_t size = 0, line = 0;
	int r = 0;

	if (!file)
		return 0;
	/* /dev/null stands for no file. */
	if (!fstat(fileno(file), &stat) && S_ISCHR(stat.st_mode)) {
		fclose(file);
		return 0;
	}
	if (fstat(fileno(file), &stat) || !S_ISREG(stat.st_mode) || stat.st_size > FILE_MAX) {
		r = error__set(err, -EINVAL, "%s: not a file of less than 1 MiB", reading->path);
	} else if (!perfconfig__is_trusted(&stat)) {
		cli__fail("warning: %s belongs to another user and is ignored", reading->path);
	} else {
		text = malloc(stat.st_size + 1);
		size = text ? fread(text, 1, stat.st_size, file) : 0;
		err->text[0] = '\0';
		r = text ? config__parse(text, size, take, (void *)reading, &line) : -ENOMEM;
		if (r && !err->text[0])
			error__set(err, r, "%s:%zu: syntax error", reading->path, line);
	}
	free(text);
	fclose(file);
	return r;
}

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value && strcmp(value, "0") != 0 && strcasecmp(value, "false") != 0;
}

int perfconfig__read(
	int (*taker)(void *ctx, const struct perfconfig_value *value, struct error *err), void *ctx,
	struct error *err)
{
	const char *only = getenv("PERF_CONFIG"), *home = getenv("HOME");
	struct reading reading = {.take = taker, .ctx = ctx, .path = SYSTEM_WIDE, .err = err};
	char path[PATH_MAX];
	int r = 0;

	if (only && *only) {
		reading.path = only;
		return read_file(&reading);
	}
	if (!is_set("PERF_CONFIG_NOSYSTEM"))
		r = read_file(&reading);
	if (r || !home || is_set("PERF_CONFIG_NOGLOBAL"))
		return r;
	snprintf(path, sizeof(path), "%s/.perfconfig", home);
	reading.path = path;
	return read_file(&reading);
}
