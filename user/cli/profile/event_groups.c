// SPDX-License-Identifier: GPL-2.0-only
/* See event_groups.h. */
#include "user/cli/profile/event_groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/cursor.h"
#include "user/perfdata/features/group_desc.h"
#include "user/perfdata/layout.h"

static int take(struct event_groups *groups, const struct group_desc *desc)
{
	struct report_group group = {.first = desc->leader, .n = desc->n};

	if (desc->n < 2)
		return 0;
	if (*desc->name) {
		group.name = strdup(desc->name);
		if (!group.name)
			return -ENOMEM;
	}
	groups->v[groups->n++] = group;
	return 0;
}

int event_groups__read(struct event_groups *groups, const struct perfdata_reader *reader)
{
	struct group_desc *descs = NULL;
	struct cursor in;
	size_t size, n = 0;
	const void *bytes;
	int err;

	if (groups->read)
		return 0;
	groups->read = true;
	bytes = perfdata_reader__feature(reader, HEADER_GROUP_DESC, &size);
	if (!bytes)
		return 0;
	cursor__init(&in, bytes, size, perfdata_reader__is_foreign_order(reader));
	err = group_desc__decode(&descs, &n, &in, perfdata_reader__n_attrs(reader));
	groups->damaged = err == -EBADMSG;
	if (groups->damaged)
		return 0;
	if (!err) {
		groups->v = calloc(n + 1, sizeof(*groups->v));
		err = groups->v ? 0 : -ENOMEM;
	}
	for (size_t i = 0; i < n && !err; i++)
		err = take(groups, &descs[i]);
	free(descs);
	return err;
}

int event_groups__force(struct event_groups *groups, size_t n_events)
{
	if (groups->n || n_events < 2)
		return 0;
	free(groups->v);
	groups->v = calloc(1, sizeof(*groups->v));
	if (!groups->v)
		return -ENOMEM;
	groups->v[groups->n++] = (struct report_group){.n = n_events, .forced = true};
	return 0;
}

void event_groups__free(struct event_groups *groups)
{
	for (size_t i = 0; i < groups->n; i++)
		free((char *)groups->v[i].name);
	free(groups->v);
}
