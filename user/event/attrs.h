/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the attribute of a record by the id in it, whose position the first attribute
 * determines, as evlist__event2evsel() of perf does. Look-ups take logarithmic time,
 * whatever ids a file has. Pure.
 */
#ifndef PERFSTAMP_EVENT_ATTRS_H
#define PERFSTAMP_EVENT_ATTRS_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/cursor.h"

#define ATTRS_MAX 4096
#define ATTRS_IDS_MAX (1u << 20) /* ids of all attributes together */

/* The parts of an attribute that determine the layout of its records. */
struct attr_layout {
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;
	uint64_t regs_user;
	uint64_t regs_intr;
	bool sample_id_all;
	bool mmap3; /* records of the types 23 and 24 are those of user/event/native.h */
	bool module;
};

struct attr_id {
	uint64_t id;
	uint32_t index;
};

struct attrs {
	struct attr_layout *layouts;
	size_t n;
	bool differ;         /* at least two layouts differ */
	struct attr_id *ids; /* the first n_sorted are sorted */
	size_t n_ids;
	size_t n_sorted;
	size_t ids_room;
};

void attrs__free(struct attrs *attrs);
/* Returns 0, -ENOMEM, or -E2BIG beyond the limits above. */
int attrs__add(
	struct attrs *attrs, const struct perf_event_attr *attr, const uint64_t *ids, size_t n_ids);
/*
 * Returns the layout of the record whose body, after the header, is @body. *@ret is NULL if
 * there is no attribute at all. Returns 0, -ENOMEM, or -EBADMSG for a record that is too
 * short for its id, or has an unknown id.
 */
int attrs__find(
	struct attrs *attrs, bool is_sample, struct cursor body, const struct attr_layout **ret);
/*
 * Checks that perf finds the attribute of the record in @body by its id, even if all
 * attributes have one layout. Returns 0, -ENOMEM, or -EBADMSG if perf does not.
 */
int attrs__check_id(struct attrs *attrs, bool is_sample, struct cursor body);
/* Whether an attribute has @id: returns 0, -ENOMEM or -EBADMSG. */
int attrs__knows(struct attrs *attrs, uint64_t id);

#endif
