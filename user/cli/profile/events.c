// SPDX-License-Identifier: GPL-2.0-only
/* See events.h. */
#include "user/cli/profile/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "user/parse/event/attr_name.h"

static int compare(const void *a, const void *b)
{
	const struct report_event_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static int add_ids(struct sample_events *events, const struct perfdata_attr *attr, uint32_t event)
{
	struct report_event_id *ids;

	ids = realloc(events->ids, (events->n_ids + attr->n_ids + 1) * sizeof(*ids));
	if (!ids)
		return -ENOMEM;
	events->ids = ids;
	for (size_t i = 0; i < attr->n_ids; i++)
		ids[events->n_ids++] = (struct report_event_id){attr->ids[i], event};
	return 0;
}

static int add_event(struct sample_events *events, const struct perfdata_attr *attr)
{
	uint32_t event = events->n;
	char derived[ATTR_NAME_MAX], *name;

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
	return add_ids(events, attr, event);
}

int sample_events__update(struct sample_events *events, const struct perfdata_reader *reader)
{
	size_t n = perfdata_reader__n_attrs(reader);
	uint64_t *periods;
	char **names;

	if (n == events->n)
		return 0;
	names = realloc(events->names, n * sizeof(char *));
	if (names)
		events->names = names;
	periods = realloc(events->periods, n * sizeof(*periods));
	if (periods)
		events->periods = periods;
	if (!names || !periods)
		return -ENOMEM;
	while (events->n < n)
		if (add_event(events, perfdata_reader__attr(reader, events->n)))
			return -ENOMEM;
	qsort(events->ids, events->n_ids, sizeof(*events->ids), compare);
	return 0;
}

uint32_t sample_events__of(
	const struct sample_events *events, const struct event_sample *sample, uint64_t *ret_period)
{
	const struct report_event_id key = {.id = sample->id};
	const struct report_event_id *found = NULL;
	uint32_t event;

	if (events->n > 1 && events->n_ids)
		found = bsearch(&key, events->ids, events->n_ids, sizeof(key), compare);
	event = found ? found->event : 0;
	*ret_period = sample->period;
	if (event < events->n && events->periods[event])
		*ret_period = events->periods[event];
	return event;
}

void sample_events__free(struct sample_events *events)
{
	for (size_t i = 0; i < events->n; i++)
		free(events->names[i]);
	free(events->names);
	free(events->periods);
	free(events->ids);
}
