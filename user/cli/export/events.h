/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events with exported samples. Other events of a recording only report mappings, or
 * are not selected by --event. A part of export.
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
	uint32_t *numbers; /* in .v, plus one, of each of .all; 0: it had no sample yet */
	size_t n_numbers;
};

/*
 * What the sample @event counts, selected or not: see sample_events__counts(). Returns 0 or
 * -ENOMEM.
 */
int export_events__read(struct export_events *events, const struct perfdata_reader *reader,
	const struct event *event, const struct sample_count **ret, size_t *ret_n);
/*
 * Adds a sample with this count: *@ret is the number of its event in .v, or EXPORT_NONE if it is
 * not selected. Returns 0 or -ENOMEM.
 */
int export_events__take(struct export_events *events, const struct perfdata_reader *reader,
	const struct sample_count *count, uint32_t *ret);
/* Once all were taken: their names, which were not valid before. */
void export_events__finish(struct export_events *events);
void export_events__free(struct export_events *events);

#endif
