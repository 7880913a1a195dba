/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The GROUP_DESC feature: which events were recorded as groups. Pure. Format:
 * write_group_desc() in tools/perf/util/header.c of Linux.
 */
#ifndef PERFSTAMP_PERFDATA_GROUP_DESC_H
#define PERFSTAMP_PERFDATA_GROUP_DESC_H

#include <stddef.h>
#include <stdint.h>

#include "user/base/buffer.h"
#include "user/base/cursor.h"

struct group_desc {
	const char *name; /* empty: the group has none */
	uint32_t leader;  /* number of the leader among the file's attributes */
	uint32_t n;       /* members, including the leader */
};

/* Returns 0, or the buffer's error. */
int group_desc__encode(struct buffer *out, const struct group_desc *groups, size_t n);
/* Appends the groups as text; contradictory bytes fail @in. */
void group_desc__show(struct buffer *out, struct cursor *in);

#endif
