// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attributes by id, see attrs.h.
 */
#include "user/event/attrs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/event/native.h"

void attrs__free(struct attrs *attrs)
{
	free(attrs->layouts);
	free(attrs->ids);
	*attrs = (struct attrs){};
}

static bool same_layout(const struct attr_layout *a, const struct attr_layout *b)
{
	return a->sample_type == b->sample_type && a->read_format == b->read_format &&
	       a->branch_sample_type == b->branch_sample_type && a->regs_user == b->regs_user &&
	       a->regs_intr == b->regs_intr && a->sample_id_all == b->sample_id_all &&
	       a->mmap3 == b->mmap3 && a->module == b->module;
}

int attrs__add(
	struct attrs *attrs, const struct perf_event_attr *attr, const uint64_t *ids, size_t n_ids)
{
	struct attr_layout layout = {
		.sample_type = attr->sample_type,
		.read_format = attr->read_format,
		.branch_sample_type = attr->branch_sample_type,
		.regs_user = attr->sample_regs_user,
		.regs_intr = attr->sample_regs_intr,
		.sample_id_all = attr->sample_id_all,
		.mmap3 = native_attr__has(attr, NATIVE_ATTR_MMAP3),
		.module = native_attr__has(attr, NATIVE_ATTR_MODULE),
	};

	if (attrs->n >= ATTRS_MAX || n_ids > ATTRS_IDS_MAX - attrs->n_ids)
		return -E2BIG;
	if (array__reserve(
		    &attrs->ids, &attrs->ids_room, attrs->n_ids + n_ids, sizeof(*attrs->ids)) ||
		array__extend(&attrs->layouts, attrs->n, sizeof(*attrs->layouts)))
		return -ENOMEM;
	attrs->layouts[attrs->n] = layout;
	if (!same_layout(&attrs->layouts[0], &layout))
		attrs->differ = true;
	for (size_t i = 0; i < n_ids; i++)
		attrs->ids[attrs->n_ids++] = (struct attr_id){ids[i], attrs->n};
	attrs->n++;
	return 0;
}

static int compare_ids(const void *a, const void *b)
{
	const struct attr_id *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Sorts the ids added since the last look-up, and merges them from the end. */
static int sort_ids(struct attrs *attrs)
{
	size_t n_new = attrs->n_ids - attrs->n_sorted;
	size_t i = attrs->n_sorted, j = n_new, to = attrs->n_ids;
	struct attr_id *added;

	if (!n_new)
		return 0;
	added = reallocarray(NULL, n_new, sizeof(*added));
	if (!added)
		return -ENOMEM;
	memcpy(added, attrs->ids + attrs->n_sorted, n_new * sizeof(*added));
	qsort(added, n_new, sizeof(*added), compare_ids);
	while (j) {
		if (i && compare_ids(&attrs->ids[i - 1], &added[j - 1]) > 0)
			attrs->ids[--to] = attrs->ids[--i];
		else
			attrs->ids[--to] = added[--j];
	}
	free(added);
	attrs->n_sorted = attrs->n_ids;
	return 0;
}

static const struct attr_id *find_id(const struct attrs *attrs, uint64_t id)
{
	size_t low = 0, high = attrs->n_sorted;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (attrs->ids[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < attrs->n_sorted && attrs->ids[low].id == id ? &attrs->ids[low] : NULL;
}

/* Position of the id in words: from the start of the body for a sample, otherwise from its end. */
static size_t id_position(uint64_t type, bool is_sample, bool *ret_has_id)
{
	*ret_has_id = type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID);
	if (type & PERF_SAMPLE_IDENTIFIER)
		return is_sample ? 0 : 1;
	if (is_sample)
		return !!(type & PERF_SAMPLE_IP) + !!(type & PERF_SAMPLE_TID) +
		       !!(type & PERF_SAMPLE_TIME) + !!(type & PERF_SAMPLE_ADDR);
	return 1 + !!(type & PERF_SAMPLE_CPU) + !!(type & PERF_SAMPLE_STREAM_ID);
}

/* Finds the attribute of the record in @body by its id: the first attribute if there is no id. */
static int find_index(struct attrs *attrs, bool is_sample, struct cursor body, size_t *ret)
{
	const struct attr_layout *first = attrs->layouts;
	const struct attr_id *found;
	size_t position, size = cursor__remaining(&body);
	bool has_id;
	uint64_t id;

	*ret = 0;
	if (!is_sample && !first->sample_id_all)
		return 0;
	position = 8 * id_position(first->sample_type, is_sample, &has_id);
	if (!has_id)
		return 0;
	if (!is_sample && position > size)
		return -EBADMSG;
	cursor__skip(&body, is_sample ? position : size - position);
	id = cursor__u64(&body);
	if (body.failed)
		return -EBADMSG;
	if (!id) /* perf gives this id to records that it makes itself */
		return 0;
	if (sort_ids(attrs))
		return -ENOMEM;
	found = find_id(attrs, id);
	if (!found)
		return -EBADMSG;
	*ret = found->index;
	return 0;
}

int attrs__find(
	struct attrs *attrs, bool is_sample, struct cursor body, const struct attr_layout **ret)
{
	size_t index = 0;
	int err = 0;

	/* Records that all have one layout need no look-up. */
	if (attrs->differ)
		err = find_index(attrs, is_sample, body, &index);
	*ret = attrs->n ? &attrs->layouts[index] : NULL;
	return err;
}

int attrs__check_id(struct attrs *attrs, bool is_sample, struct cursor body)
{
	size_t index;

	return attrs->n > 1 ? find_index(attrs, is_sample, body, &index) : 0;
}

int attrs__knows(struct attrs *attrs, uint64_t id)
{
	if (sort_ids(attrs))
		return -ENOMEM;
	return find_id(attrs, id) ? 0 : -EBADMSG;
}
