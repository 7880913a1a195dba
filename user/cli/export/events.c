// SPDX-License-Identifier: GPL-2.0-only
/* See events.h. */
#include "user/cli/export/events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"

static bool is_time(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE &&
	       (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
		       attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

static int add(struct export_events *events, const struct perf_event_attr *attr, uint32_t of,
	uint64_t period)
{
	if (array__extend(&events->v, events->n, sizeof(*events->v)))
		return -ENOMEM;
	events->v[events->n++] = (struct export_event){.is_time = is_time(attr), .period = period};
	events->numbers[of] = events->n;
	return 0;
}

int export_events__read(struct export_events *events, const struct perfdata_reader *reader,
	const struct event *event, const struct sample_count **ret, size_t *ret_n)
{
	if (sample_events__update(&events->all, reader))
		return -ENOMEM;
	if (array__reach(
		    &events->numbers, &events->n_numbers, events->all.n, sizeof(*events->numbers)))
		return -ENOMEM;
	return sample_events__counts(&events->all, event, ret, ret_n);
}

int export_events__take(struct export_events *events, const struct perfdata_reader *reader,
	const struct sample_count *count, uint32_t *ret)
{
	uint32_t of = count->event;

	*ret = EXPORT_NONE;
	if (of >= events->all.n ||
		(events->chosen && strcmp(events->all.names[of], events->chosen) != 0))
		return 0;
	if (!events->numbers[of] &&
		add(events, &perfdata_reader__attr(reader, of)->attr, of, count->period))
		return -ENOMEM;
	*ret = events->numbers[of] - 1;
	if (events->v[*ret].period != count->period)
		events->v[*ret].period = 0;
	return 0;
}

void export_events__finish(struct export_events *events)
{
	for (size_t i = 0; i < events->n_numbers; i++)
		if (events->numbers[i])
			events->v[events->numbers[i] - 1].name = events->all.names[i];
}

void export_events__free(struct export_events *events)
{
	sample_events__free(&events->all);
	free(events->v);
	free(events->numbers);
}
