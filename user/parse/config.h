/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf's configuration files: [section] or [section "sub"], then key = value, with # and ;
 * before comments. Source of the grammar: tools/perf/ Documentation/perf-config.txt and
 * util/config.c of Linux. Does not know any file.
 */
#ifndef PERFSTAMP_PARSE_CONFIG_H
#define PERFSTAMP_PARSE_CONFIG_H

#include <stddef.h>

/* @key is "section.key" or "section.sub.key", section and key in small letters. */
typedef int config_fn(void *ctx, const char *key, const char *value, size_t line);

/*
 * Calls @fn for each key of the @size bytes at @text; without a value it is "true". A
 * nonzero result of @fn ends the loop and is returned. Returns 0, or -EINVAL with the
 * number of the line that is not understood in *@ret_line.
 */
int config__parse(const char *text, size_t size, config_fn *fn, void *ctx, size_t *ret_line);

#endif
