// SPDX-License-Identifier: GPL-2.0-only
/* See loss.h. */
#include "user/view/loss.h"

#include <inttypes.h>
#include <stdio.h>

#include "user/base/text.h"
#include "user/perfdata/features/stamp.h"

bool loss__next(const char *stamp, size_t size, const char **cursor, struct loss *ret)
{
	char value[96];

	if (!stamp)
		return false;
	if (!*cursor)
		*cursor = stamp;
	while (stamp__next(cursor, stamp + size, "loss", value, sizeof(value)) >= 0)
		if (sscanf(value, "%15s %" SCNu64 " %" SCNu64 " %" SCNu64, ret->cause, &ret->n,
			    &ret->begin_ns, &ret->end_ns) == 4)
			return true;
	return false;
}

bool cgroup_loss__next(const char *stamp, size_t size, const char **cursor, struct cgroup_loss *ret)
{
	char value[sizeof(ret->path) + 48];
	int path = 0;

	if (!stamp)
		return false;
	if (!*cursor)
		*cursor = stamp;
	while (stamp__next(cursor, stamp + size, "loss.cgroup", value, sizeof(value)) >= 0)
		if (sscanf(value, "%" SCNu64 " %" SCNu64 " %n", &ret->n, &ret->id, &path) == 2 &&
			path) {
			text__unescape(value + path);
			snprintf(ret->path, sizeof(ret->path), "%s", value + path);
			return true;
		}
	return false;
}
