/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Selects samples between two events: --switch-on and --switch-off of perf report. Does not know
 * rows.
 */
#ifndef PERFSTAMP_CLI_REPORT_EVENT_SWITCH_H
#define PERFSTAMP_CLI_REPORT_EVENT_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include "user/cli/profile/events.h"

struct event_switch {
	const char *on, *off; /* names of events; NULL: from the begin, or to the end */
	bool show;            /* also keep samples of these two events */
	bool is_off;
};

/* Call it before each reading of the recording. */
void event_switch__begin(struct event_switch *events);
/*
 * Takes the next sample in time order; @event is its event. Returns true if it is not between the
 * two.
 */
bool event_switch__discards(
	struct event_switch *events, const struct sample_events *known, uint32_t event);
/* Returns the name of an event that the recording does not have, or NULL. */
const char *event_switch__missing(
	const struct event_switch *events, const struct sample_events *known);

#endif
