// SPDX-License-Identifier: GPL-2.0-only
/* See events.h. */
#include "user/cli/profile/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"
#include "user/base/hash.h"
#include "user/event/counts.h"
#include "user/parse/event/attr_name.h"

struct sample_value {
	UT_hash_handle hh;
	struct sample_value_key {
		uint64_t id;
		uint64_t tid; /* 0 if the counts of all threads are one series */
	} key;
	uint64_t value;
};

static int compare(const void *a, const void *b)
{
	const struct report_event_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static int add_ids(struct sample_events *events, const struct perfdata_attr *attr, uint32_t event)
{
	if (array__reserve(&events->ids, &events->ids_room, events->n_ids + attr->n_ids,
		    sizeof(*events->ids)))
		return -ENOMEM;
	for (size_t i = 0; i < attr->n_ids; i++)
		events->ids[events->n_ids++] = (struct report_event_id){attr->ids[i], event};
	return 0;
}

static int add_event(struct sample_events *events, const struct perfdata_attr *attr)
{
	uint32_t event = events->n;
	char derived[ATTR_NAME_MAX], *name;

	if (array__extend(&events->names, event, sizeof(*events->names)) ||
		array__extend(&events->periods, event, sizeof(*events->periods)))
		return -ENOMEM;
	attr_name__write(derived, sizeof(derived), &attr->attr);
	name = strdup(attr->name ? attr->name : derived);
	if (!name)
		return -ENOMEM;
	events->names[event] = name;
	events->periods[event] = attr->attr.sample_type & PERF_SAMPLE_PERIOD
					 ? 0
					 : attr->attr.sample_period;
	events->n++;
	events->sample_types |= attr->attr.sample_type;
	if (attr->attr.sample_type & PERF_SAMPLE_STACK_USER)
		events->stacks = true;
	if (attr->attr.sample_type & PERF_SAMPLE_READ && attr->attr.inherit)
		events->per_thread = true;
	return add_ids(events, attr, event);
}

int sample_events__update(struct sample_events *events, const struct perfdata_reader *reader)
{
	size_t n = perfdata_reader__n_attrs(reader);

	if (n == events->n)
		return 0;
	while (events->n < n)
		if (add_event(events, perfdata_reader__attr(reader, events->n)))
			return -ENOMEM;
	if (events->n_ids)
		qsort(events->ids, events->n_ids, sizeof(*events->ids), compare);
	return 0;
}

static const struct report_event_id *find(const struct sample_events *events, uint64_t id)
{
	const struct report_event_id key = {.id = id};

	return events->n_ids ? bsearch(&key, events->ids, events->n_ids, sizeof(key), compare)
			     : NULL;
}

uint32_t sample_events__of(
	const struct sample_events *events, const struct event_sample *sample, uint64_t *ret_period)
{
	const struct report_event_id *found = events->n > 1 ? find(events, sample->id) : NULL;
	uint32_t event = found ? found->event : 0;

	*ret_period = sample->period;
	if (event < events->n && events->periods[event])
		*ret_period = events->periods[event];
	return event;
}

/* Sets @ret to how much was counted since the sample before. Returns 0 or -ENOMEM. */
static int take_value(
	struct sample_events *events, const struct event_count *count, uint32_t tid, uint64_t *ret)
{
	struct sample_value_key key = {count->id, events->per_thread ? tid : 0};
	struct sample_value *value;

	HASH_FIND(hh, events->values, &key, sizeof(key), value);
	if (!value) {
		value = calloc(1, sizeof(*value));
		if (!value)
			return -ENOMEM;
		value->key = key;
		HASH_ADD(hh, events->values, key, sizeof(key), value);
		if (!hash__added(value)) {
			free(value);
			return -ENOMEM;
		}
	}
	/* A CPU that was off-line counts from 0 again. */
	*ret = count->value >= value->value ? count->value - value->value : count->value;
	value->value = count->value;
	return 0;
}

int sample_events__counts(struct sample_events *events, const struct event *event,
	const struct sample_count **ret, size_t *ret_n)
{
	const struct event_sample *sample = &event->sample;
	size_t n = sample->counts.n;

	if (array__reserve(&events->counts, &events->counts_room, n ? n : 1, sizeof(**ret)))
		return -ENOMEM;
	*ret = events->counts;
	*ret_n = 0;
	if (!sample->counts.bytes) {
		struct sample_count *own = &events->counts[(*ret_n)++];

		own->event = sample_events__of(events, sample, &own->period);
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		const struct event_count count = event_counts__at(sample, i);
		const struct report_event_id *found = find(events, count.id);
		uint64_t period;

		if (!found && events->n_ids)
			continue;
		if (take_value(events, &count, event->tid, &period))
			return -ENOMEM;
		if (period)
			events->counts[(*ret_n)++] = (struct sample_count){
				found ? found->event : 0, period};
	}
	return 0;
}

void sample_events__begin(struct sample_events *events)
{
	hash__free(events->values);
}

void sample_events__free(struct sample_events *events)
{
	for (size_t i = 0; i < events->n; i++)
		free(events->names[i]);
	free(events->names);
	free(events->periods);
	free(events->ids);
	free(events->counts);
	sample_events__begin(events);
}
