// SPDX-License-Identifier: GPL-2.0-only
/* See group_desc.h. */
#include "user/perfdata/features/group_desc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/text.h"
#include "user/perfdata/strings.h"

#define NO_NAME "{anon_group}" /* perf's name for a group without one */

int group_desc__encode(struct buffer *out, const struct group_desc *groups, size_t n)
{
	buffer__u32(out, n);
	for (size_t i = 0; i < n; i++) {
		strings__put(out, *groups[i].name ? groups[i].name : NO_NAME);
		buffer__u32(out, groups[i].leader);
		buffer__u32(out, groups[i].n);
	}
	return out->error;
}

int group_desc__decode(struct group_desc **ret, size_t *ret_n, struct cursor *in, uint32_t n_events)
{
	uint32_t n = cursor__u32(in), free_from = 0;

	*ret = NULL;
	*ret_n = 0;
	/* Each group has a member of its own, so there are no more groups than events. */
	if (in->failed || n > n_events)
		return -EBADMSG;
	*ret = calloc(n + 1, sizeof(**ret));
	if (!*ret)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		struct group_desc *group = &(*ret)[i];

		group->name = strings__get(in);
		group->leader = cursor__u32(in);
		group->n = cursor__u32(in);
		if (in->failed || !group->name || !group->n || group->leader < free_from ||
			group->leader >= n_events || group->n > n_events - group->leader) {
			free(*ret);
			*ret = NULL;
			return -EBADMSG;
		}
		free_from = group->leader + group->n;
		if (!strcmp(group->name, NO_NAME))
			group->name = "";
	}
	*ret_n = n;
	return 0;
}

static void show_name(struct buffer *out, const char *name)
{
	size_t len = text__escape(NULL, 0, name);
	char *at = buffer__extend(out, len + 1);

	if (!at)
		return;
	text__escape(at, len + 1, name);
	out->size--; /* the NUL */
}

void group_desc__show(struct buffer *out, struct cursor *in)
{
	uint32_t n = cursor__u32(in);

	for (uint32_t i = 0; i < n && !in->failed; i++) {
		const char *name = strings__get(in);
		uint32_t leader = cursor__u32(in), members = cursor__u32(in);

		if (in->failed || !name)
			return;
		buffer__printf(out, "%s", i ? ", " : "");
		show_name(out, name);
		buffer__printf(out, " of %u from event %u on", members, leader);
	}
}
