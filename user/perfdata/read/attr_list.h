/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The attributes that a reader has read, with names and ids. Entries do not move when it
 * grows. Pure.
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
/* @ids are @size bytes in the byte order that @swap says. Returns 0 or -ENOMEM. */
int attr_list__add(struct attr_list *list, const struct perf_event_attr *attr, const void *ids,
	size_t size, bool swap);
/* Of the attribute that has @id; an unknown one is skipped. Returns 0 or -ENOMEM. */
int attr_list__set_name(struct attr_list *list, uint64_t id, const char *name);
/*
 * Takes the names from the bytes of an EVENT_DESC feature. What in them is contradictory
 * names no event. Returns 0 or -ENOMEM.
 */
int attr_list__set_names(struct attr_list *list, const void *desc, size_t size, bool swap);

#endif
