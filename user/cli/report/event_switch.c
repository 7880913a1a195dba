// SPDX-License-Identifier: GPL-2.0-only
/* See event_switch.h. */
#include "user/cli/report/event_switch.h"

#include <stddef.h>
#include <string.h>

void event_switch__begin(struct event_switch *events)
{
	events->is_off = events->on != NULL;
}

/* Returns the first event with this name, as in perf, or UINT32_MAX. */
static uint32_t find(const struct sample_events *known, const char *name)
{
	for (uint32_t i = 0; name && i < known->n; i++)
		if (!strcmp(known->names[i], name))
			return i;
	return UINT32_MAX;
}

bool event_switch__discards(
	struct event_switch *events, const struct sample_events *known, uint32_t event)
{
	const char *next = events->is_off ? events->on : events->off;

	if (find(known, next) != event)
		return events->is_off;
	events->is_off = !events->is_off;
	return !events->show;
}

const char *event_switch__missing(
	const struct event_switch *events, const struct sample_events *known)
{
	if (events->on && find(known, events->on) == UINT32_MAX)
		return events->on;
	return events->off && find(known, events->off) == UINT32_MAX ? events->off : NULL;
}
