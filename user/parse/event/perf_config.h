/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf's configuration files, in git's format: tools/perf/util/config.c of
 * Linux. Pure.
 */
#ifndef PERFSTAMP_PARSE_PERF_CONFIG_H
#define PERFSTAMP_PARSE_PERF_CONFIG_H

#include <stddef.h>

/*
 * Finds the last value of @key ("dir") in section @section ("buildid") of @text, cut to @size
 * including its NUL. Upper and lower case are equal. Returns 0, or -ENOENT. Invalid lines are
 * skipped.
 */
int perf_config__find(
	const char *text, const char *section, const char *key, char *ret, size_t size);

#endif
