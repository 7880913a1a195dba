// SPDX-License-Identifier: GPL-2.0-only
/* See merged_events.h. */
#include "user/perfdata/repair/merged_events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/hash.h"
#include "user/perfdata/repair/clean_file.h"

#define CHANGED_ID_FIRST (1ull << 40) /* ids of the kernel begin with 1 */

struct merged_attr {
	struct perf_event_attr attr;
	char *name;
	uint64_t *ids;
	size_t n_ids;
	const struct perfdata_attr *input; /* the event of the current input that uses it */
};

struct merged_id {
	uint64_t id;
	size_t attr;
	UT_hash_handle hh;
};

static bool has_name(const struct merged_attr *merged, const char *name)
{
	return merged->name && name ? !strcmp(merged->name, name) : merged->name == name;
}

static struct perf_event_attr attr_of_copy(
	const struct merged_events *events, const struct perfdata_attr *attr, bool adds_id)
{
	struct perf_event_attr known = clean_file__attr(&attr->attr);

	if (events->without_chains)
		known.sample_type &= ~(uint64_t)PERF_SAMPLE_CALLCHAIN;
	if (adds_id)
		known.sample_type |= PERF_SAMPLE_IDENTIFIER;
	return known;
}

/* Finds the same event of an earlier input. Returns .n if there is none. */
static size_t find_attr(const struct merged_events *events, const struct perf_event_attr *known,
	const char *name, size_t n_before)
{
	for (size_t i = 0; i < n_before; i++) {
		struct merged_attr *merged = &events->merged[i];

		if (!merged->input && has_name(merged, name) &&
			!memcmp(&merged->attr, known, sizeof(*known)))
			return i;
	}
	return events->n;
}

static int add_attr(
	struct merged_events *events, const struct perf_event_attr *known, const char *name)
{
	struct merged_attr *added;

	if (array__extend(&events->merged, events->n, sizeof(*events->merged)))
		return -ENOMEM;
	added = &events->merged[events->n];
	*added = (struct merged_attr){.attr = *known};
	if (name) {
		added->name = strdup(name);
		if (!added->name)
			return -ENOMEM;
	}
	events->n++;
	return 0;
}

static int add_id(struct merged_events *events, size_t attr, uint64_t id)
{
	struct merged_attr *merged = &events->merged[attr];
	struct merged_id *known;

	if (array__extend(&merged->ids, merged->n_ids, sizeof(*merged->ids)))
		return -ENOMEM;
	known = calloc(1, sizeof(*known));
	if (!known)
		return -ENOMEM;
	known->id = id;
	known->attr = attr;
	HASH_ADD(hh, events->by_id, id, sizeof(id), known);
	if (!hash__added(known)) {
		free(known);
		return -ENOMEM;
	}
	merged->ids[merged->n_ids++] = id;
	return 0;
}

static struct merged_id *find_id(const struct merged_events *events, uint64_t id)
{
	struct merged_id *known;

	HASH_FIND(hh, events->by_id, &id, sizeof(id), known);
	return known;
}

/* Adds the ids of @attr that no other event has. */
static int add_free_ids(
	struct merged_events *events, size_t index, const struct perfdata_attr *attr)
{
	int err = 0;

	for (size_t i = 0; i < attr->n_ids && !err; i++)
		if (!find_id(events, attr->ids[i]))
			err = add_id(events, index, attr->ids[i]);
	return err;
}

/* An input that is a copy itself may already have such ids. */
static int add_new_id(struct merged_events *events, size_t attr, uint64_t *ret)
{
	do
		*ret = CHANGED_ID_FIRST + events->next_id++;
	while (find_id(events, *ret));
	return add_id(events, attr, *ret);
}

/* *@ret is the id in the copy for @id of the event @attr. */
static int merge_id(struct merged_events *events, size_t attr, uint64_t id, uint64_t *ret)
{
	*ret = id;
	if (find_id(events, id)->attr == attr)
		return 0;
	return add_new_id(events, attr, ret);
}

static int by_id(const void *a, const void *b)
{
	const struct input_id *one = a, *other = b;

	return (one->id > other->id) - (one->id < other->id);
}

static int merge_ids(struct merged_events *events, size_t index, const struct perfdata_attr *attr,
	struct input_events *ret)
{
	for (size_t i = 0; i < attr->n_ids; i++) {
		struct input_id *id = &ret->ids[ret->n];

		id->id = attr->ids[i];
		id->sample_type = attr->attr.sample_type;
		if (merge_id(events, index, id->id, &id->changed))
			return -ENOMEM;
		ret->changes |= id->changed != id->id;
		ret->n++;
	}
	return 0;
}

/* Determines the id of all records of an input with one event, of which .ids has been filled in. */
static int choose_added_id(struct merged_events *events, size_t attr, struct input_events *ret)
{
	ret->changes = true;
	if (!ret->n)
		return add_new_id(events, attr, &ret->added_id);
	ret->added_id = ret->ids[0].changed;
	return 0;
}

static int reserve(const struct perfdata_reader *reader, struct input_events *ret)
{
	size_t n = perfdata_reader__n_attrs(reader), n_ids = 0;

	ret->alike = true;
	for (size_t i = 0; i < n; i++) {
		const struct perfdata_attr *attr = perfdata_reader__attr(reader, i);

		if (!i) {
			ret->sample_type = attr->attr.sample_type;
			ret->sample_id_all = attr->attr.sample_id_all;
		}
		ret->alike &= attr->attr.sample_type == ret->sample_type;
		n_ids += attr->n_ids;
	}
	ret->ids = calloc(n_ids ? n_ids : 1, sizeof(*ret->ids));
	return ret->ids ? 0 : -ENOMEM;
}

int merged_events__add(struct merged_events *events, const struct perfdata_reader *reader,
	struct input_events *ret)
{
	size_t n = perfdata_reader__n_attrs(reader), n_before = events->n;
	int err = reserve(reader, ret);
	bool lacks_ids = n == 1 && !(ret->sample_type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID));
	bool adds_id = lacks_ids && events->adds_ids;

	events->lacks_ids |= lacks_ids;
	for (size_t i = 0; i < n_before; i++)
		events->merged[i].input = NULL;
	for (size_t i = 0; i < n && !err; i++) {
		const struct perfdata_attr *attr = perfdata_reader__attr(reader, i);
		const struct perf_event_attr known = attr_of_copy(events, attr, adds_id);
		size_t index = find_attr(events, &known, attr->name, n_before);

		if (index == events->n)
			err = add_attr(events, &known, attr->name);
		if (!err) {
			events->merged[index].input = attr;
			err = add_free_ids(events, index, attr);
		}
	}
	/* Only now are all ids known that a changed one must differ from. */
	for (size_t i = 0; i < events->n && !err; i++) {
		if (!events->merged[i].input)
			continue;
		err = merge_ids(events, i, events->merged[i].input, ret);
		if (!err && adds_id)
			err = choose_added_id(events, i, ret);
	}
	qsort(ret->ids, ret->n, sizeof(*ret->ids), by_id);
	return err;
}

int merged_events__finish(struct merged_events *events)
{
	events->attrs = calloc(events->n ? events->n : 1, sizeof(*events->attrs));
	if (!events->attrs)
		return -ENOMEM;
	for (size_t i = 0; i < events->n; i++) {
		const struct merged_attr *merged = &events->merged[i];

		events->attrs[i] = (struct perfdata_attr){
			merged->attr, merged->name, merged->ids, merged->n_ids};
	}
	return 0;
}

void merged_events__free(struct merged_events *events)
{
	hash__free(events->by_id);
	for (size_t i = 0; i < events->n; i++) {
		free(events->merged[i].name);
		free(events->merged[i].ids);
	}
	free(events->merged);
	free(events->attrs);
	*events = (struct merged_events){0};
}

void input_events__free(struct input_events *events)
{
	free(events->ids);
	*events = (struct input_events){0};
}

const struct input_id *input_events__find(const struct input_events *events, uint64_t id)
{
	const struct input_id key = {.id = id};

	return events->n ? bsearch(&key, events->ids, events->n, sizeof(key), by_id) : NULL;
}
