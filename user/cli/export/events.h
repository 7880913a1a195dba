/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events whose samples are exported. Other events of a recording only report mappings, or
 * --event does not select them. A part of export.
 */
#ifndef PERFSTAMP_CLI_EXPORT_EVENTS_H
#define PERFSTAMP_CLI_EXPORT_EVENTS_H

#include "user/cli/profile/events.h"
#include "user/view/export/profile.h"

struct export_events {
	const char *chosen; /* the name of the only selected event; NULL: all */
	struct sample_events all;
	struct export_event *v;
	size_t n;
	uint32_t *numbers; /* by index in .all: the index in .v plus one; 0: no sample yet */
	size_t n_numbers;
};

/*
 * Finds the counts of the sample @event for all events, selected or not: see
 * sample_events__counts(). Returns 0 or -ENOMEM.
 */
int export_events__read(struct export_events *events, const struct perfdata_reader *reader,
	const struct event *event, const struct sample_count **ret, size_t *ret_n);
/*
 * Adds a sample with this count. *@ret is set to the index of its event in .v, or to EXPORT_NONE if
 * it is not selected. Returns 0 or -ENOMEM.
 */
int export_events__take(struct export_events *events, const struct perfdata_reader *reader,
	const struct sample_count *count, uint32_t *ret);
/* Sets the names of the events, after all samples. Before that, they are not valid. */
void export_events__finish(struct export_events *events);
void export_events__free(struct export_events *events);

#endif
