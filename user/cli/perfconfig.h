/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads perf's configuration files: /etc/perfconfig, then ~/.perfconfig, or only the file in
 * PERF_CONFIG. The caller interprets the keys.
 */
#ifndef PERFSTAMP_CLI_PERFCONFIG_H
#define PERFSTAMP_CLI_PERFCONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "user/base/error.h"

struct stat;

struct perfconfig_value {
	const char *path; /* the path of the file */
	size_t line;
	const char *key;
	const char *value;
};

/* The rule of perf: files of other users, except root, must not configure us. */
bool perfconfig__is_trusted(const struct stat *st);

/*
 * Calls @take for each key in the existing files, and warns if a file is not trusted. Returns 0, a
 * nonzero result of @take, or -EINVAL with file and line for a syntax error.
 */
int perfconfig__read(
	int (*take)(void *ctx, const struct perfconfig_value *value, struct error *err), void *ctx,
	struct error *err);

#endif
