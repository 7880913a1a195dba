/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The attributes of a recording, with names and ids. Entries do not move when the list grows. Pure.
 */
#ifndef PERFSTAMP_PERFDATA_ATTR_LIST_H
#define PERFSTAMP_PERFDATA_ATTR_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/perfdata/read/attr.h"

struct attr_list {
	struct perfdata_attr **attrs;
	size_t n;
};

void attr_list__free(struct attr_list *list);
/* @ids: @size bytes, with @swap in the other byte order. Returns 0 or -ENOMEM. */
int attr_list__add(struct attr_list *list, const struct perf_event_attr *attr, const void *ids,
	size_t size, bool swap);
/* Names the attribute that has @id; an unknown id is skipped. Returns 0 or -ENOMEM. */
int attr_list__set_name(struct attr_list *list, uint64_t id, const char *name);
/*
 * Reads the names from the bytes of an EVENT_DESC feature. Contradictory parts are ignored. Returns
 * 0 or -ENOMEM.
 */
int attr_list__set_names(struct attr_list *list, const void *desc, size_t size, bool swap);

#endif
