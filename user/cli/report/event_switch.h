/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples between two events: --switch-on and --switch-off of perf report. Knows nothing of rows.
 */
#ifndef PERFSTAMP_CLI_REPORT_EVENT_SWITCH_H
#define PERFSTAMP_CLI_REPORT_EVENT_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include "user/cli/profile/events.h"

struct event_switch {
	const char *on, *off; /* names of events; NULL: from the beginning, to the end */
	bool show;            /* samples of these events, too */
	bool is_off;
};

/* Before each reading of the recording. */
void event_switch__begin(struct event_switch *events);
/* Takes the next sample in time order, of the event @event. True: it is not one of those. */
bool event_switch__discards(
	struct event_switch *events, const struct sample_events *known, uint32_t event);
/* The name of an event that the recording does not have; NULL: none. */
const char *event_switch__missing(
	const struct event_switch *events, const struct sample_events *known);

#endif
