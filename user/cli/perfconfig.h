/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf's configuration files: /etc/perfconfig, then ~/.perfconfig, or the only one that
 * PERF_CONFIG names. What their keys mean is the caller's.
 */
#ifndef PERFSTAMP_CLI_PERFCONFIG_H
#define PERFSTAMP_CLI_PERFCONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "user/base/error.h"

struct stat;

struct perfconfig_value {
	const char *path; /* the file */
	size_t line;
	const char *key;
	const char *value;
};

/* perf's rule: what belongs to another user, but root, must not configure us. */
bool perfconfig__is_trusted(const struct stat *st);

/*
 * Calls @take for each key of the files that exist, and warns of one that is not trusted.
 * Returns 0, what @take returned that is not 0, or -EINVAL with file and line for a syntax error.
 */
int perfconfig__read(
	int (*take)(void *ctx, const struct perfconfig_value *value, struct error *err), void *ctx,
	struct error *err);

#endif
