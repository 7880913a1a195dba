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
/*
 * The groups of @n_events attributes; names are those in the bytes that @in reads, empty where
 * there is none. Free *@ret. Returns 0, -ENOMEM, or -EBADMSG: the bytes end early, or a group has
 * attributes that do not exist or that are in two groups.
 */
int group_desc__decode(
	struct group_desc **ret, size_t *ret_n, struct cursor *in, uint32_t n_events);
/* Appends the groups as text; contradictory bytes fail @in. */
void group_desc__show(struct buffer *out, struct cursor *in);

#endif
