/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which events of a recording were recorded as groups, for reports that show them side by side.
 * Knows nothing of options.
 */
#ifndef PERFSTAMP_CLI_PROFILE_EVENT_GROUPS_H
#define PERFSTAMP_CLI_PROFILE_EVENT_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "user/model/profile/rows.h"
#include "user/perfdata/read/reader.h"

struct event_groups {
	struct report_group *v; /* of more than one event each */
	size_t n;
	bool read;    /* the recording was asked */
	bool damaged; /* its list of groups is contradictory, and none is used */
};

/* Those that the recording names, the first time it is called. Returns 0 or -ENOMEM. */
int event_groups__read(struct event_groups *groups, const struct perfdata_reader *reader);
/* All @n_events as one, if the recording has no groups. Returns 0 or -ENOMEM. */
int event_groups__force(struct event_groups *groups, size_t n_events);
void event_groups__free(struct event_groups *groups);

#endif
