/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf's configuration files: [section] or [section "sub"], then key = value; # and ; begin
 * comments. The grammar is from tools/perf/Documentation/perf-config.txt and util/config.c of
 * Linux. Does not know files.
 */
#ifndef PERFSTAMP_PARSE_CONFIG_H
#define PERFSTAMP_PARSE_CONFIG_H

#include <stddef.h>

/* @key is "section.key" or "section.sub.key"; section and key are in lower case. */
typedef int config_fn(void *ctx, const char *key, const char *value, size_t line);

/*
 * Calls @fn for each key of the @size bytes at @text. A key without a value has "true". A nonzero
 * result of @fn ends the loop, and is returned. Returns 0, or -EINVAL with the number of the
 * invalid line in *@ret_line.
 */
int config__parse(const char *text, size_t size, config_fn *fn, void *ctx, size_t *ret_line);

#endif
