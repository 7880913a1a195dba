// SPDX-License-Identifier: GPL-2.0-only
/* See event_switch.h. */
#include "user/cli/report/event_switch.h"

#include <stddef.h>
#include <string.h>

void event_switch__begin(struct event_switch *events)
{
	events->is_off = events->on != NULL;
}

/* As perf: the first event of a name. */
static bool is(const struct sample_events *known, uint32_t event, const char *name)
{
	for (uint32_t i = 0; name && i < known->n; i++)
		if (!strcmp(known->names[i], name))
			return i == event;
	return false;
}

bool event_switch__discards(
	struct event_switch *events, const struct sample_events *known, uint32_t event)
{
	const char *next = events->is_off ? events->on : events->off;

	if (!is(known, event, next))
		return events->is_off;
	events->is_off = !events->is_off;
	return !events->show;
}

static bool has(const struct sample_events *known, const char *name)
{
	for (size_t i = 0; name && i < known->n; i++)
		if (!strcmp(known->names[i], name))
			return true;
	return !name;
}

const char *event_switch__missing(
	const struct event_switch *events, const struct sample_events *known)
{
	if (!has(known, events->on))
		return events->on;
	return has(known, events->off) ? NULL : events->off;
}
