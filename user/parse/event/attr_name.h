/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names an event by its attributes, for a recording without EVENT_DESC because it was truncated.
 * Like evsel__name() in tools/perf/util/evsel.c, but with the modifiers that a user would have
 * given. Pure.
 */
#ifndef PERFSTAMP_PARSE_ATTR_NAME_H
#define PERFSTAMP_PARSE_ATTR_NAME_H

#include <linux/perf_event.h>
#include <stddef.h>

#define ATTR_NAME_MAX 64 /* bytes, the NUL included */

/*
 * Writes the name to @ret of @size bytes, at least ATTR_NAME_MAX. An event of another PMU,
 * which only the recorded machine knows, is named by its type and config.
 */
void attr_name__write(char *ret, size_t size, const struct perf_event_attr *attr);

#endif
