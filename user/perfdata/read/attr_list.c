// SPDX-License-Identifier: GPL-2.0-only
/*
 * See attr_list.h.
 */
#include "user/perfdata/read/attr_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/cursor.h"
#include "user/perfdata/features/event_desc.h"

static void free_attr(struct perfdata_attr *attr)
{
	if (!attr)
		return;
	free((void *)attr->name);
	free((void *)attr->ids);
	free(attr);
}

void attr_list__free(struct attr_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free_attr(list->attrs[i]);
	free(list->attrs);
	*list = (struct attr_list){};
}

int attr_list__add(struct attr_list *list, const struct perf_event_attr *attr, const void *ids,
	size_t size, bool swap)
{
	size_t n = size / sizeof(uint64_t);
	struct perfdata_attr *added;
	struct cursor in;
	uint64_t *copy;

	if (array__extend(&list->attrs, list->n, sizeof(*list->attrs)))
		return -ENOMEM;
	added = calloc(1, sizeof(*added));
	copy = calloc(n ? n : 1, sizeof(*copy));
	if (!added || !copy) {
		free(added);
		free(copy);
		return -ENOMEM;
	}
	cursor__init(&in, ids, size, swap);
	for (size_t i = 0; i < n; i++)
		copy[i] = cursor__u64(&in);
	*added = (struct perfdata_attr){.attr = *attr, .ids = copy, .n_ids = n};
	list->attrs[list->n++] = added;
	return 0;
}

static int set_name(struct perfdata_attr *attr, const char *name)
{
	char *copy = strdup(name);

	if (!copy)
		return -ENOMEM;
	free((void *)attr->name);
	attr->name = copy;
	return 0;
}

/* EVENT_DESC and EVENT_UPDATE refer to an event by its first id, so only that is compared. */
int attr_list__set_name(struct attr_list *list, uint64_t id, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->attrs[i]->n_ids && list->attrs[i]->ids[0] == id)
			return set_name(list->attrs[i], name);
	return 0;
}

struct naming {
	struct attr_list *list;
	bool swap;
};

/* perf writes the events in the order of the attributes. */
static int name_one(void *ctx, size_t index, const struct event_desc *event)
{
	const struct naming *naming = ctx;
	struct perfdata_attr *attr;
	struct cursor ids;

	if (index >= naming->list->n)
		return 0;
	attr = naming->list->attrs[index];
	cursor__init(&ids, event->ids, event->n_ids * sizeof(uint64_t), naming->swap);
	if (attr->n_ids && event->n_ids && attr->ids[0] != cursor__u64(&ids))
		return 0;
	return set_name(attr, event->name);
}

int attr_list__set_names(struct attr_list *list, const void *desc, size_t size, bool swap)
{
	struct naming naming = {list, swap};
	int err = event_desc__parse(desc, size, swap, name_one, &naming);

	return err == -EBADMSG ? 0 : err;
}
