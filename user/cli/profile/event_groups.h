/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the events that were recorded as groups, for reports that show them side by side. Does not
 * know options.
 */
#ifndef PERFSTAMP_CLI_PROFILE_EVENT_GROUPS_H
#define PERFSTAMP_CLI_PROFILE_EVENT_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "user/model/profile/rows.h"
#include "user/perfdata/read/reader.h"

struct event_groups {
	struct report_group *v; /* groups with more than one event */
	size_t n;
	bool read;    /* the groups of the recording were read */
	bool damaged; /* the list in the recording is contradictory, so it is not used */
};

/* Reads the groups of the recording, at the first call. Returns 0 or -ENOMEM. */
int event_groups__read(struct event_groups *groups, const struct perfdata_reader *reader);
/* Makes one group of all @n_events if the recording has no groups. Returns 0 or -ENOMEM. */
int event_groups__force(struct event_groups *groups, size_t n_events);
void event_groups__free(struct event_groups *groups);

#endif
