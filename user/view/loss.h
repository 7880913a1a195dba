/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads losses and their times from a recording's own lines: docs/format.md, "loss". */
#ifndef PERFSTAMP_VIEW_LOSS_H
#define PERFSTAMP_VIEW_LOSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loss {
	char cause[16];
	uint64_t n;
	uint64_t begin_ns;
	uint64_t end_ns;
};

/*
 * Reads the next loss of @stamp (perfdata/features/stamp.h; may be NULL) from *@cursor on, which is
 * NULL at first. Returns false if there is none.
 */
bool loss__next(const char *stamp, size_t size, const char **cursor, struct loss *ret);

struct cgroup_loss {
	uint64_t n;      /* number of map records */
	uint64_t id;     /* id of the cgroup; 0: all cgroups that have no line of their own */
	char path[4096]; /* not escaped; truncated if longer; "?": not known */
};

/* The same for losses by cgroup: docs/format.md, "loss.cgroup". */
bool cgroup_loss__next(
	const char *stamp, size_t size, const char **cursor, struct cgroup_loss *ret);

#endif
