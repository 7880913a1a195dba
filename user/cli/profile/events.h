/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of a recording that have samples: the events that a sample counts, their names, and
 * the period of samples without one.
 */
#ifndef PERFSTAMP_CLI_PROFILE_EVENTS_H
#define PERFSTAMP_CLI_PROFILE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"
#include "user/perfdata/read/reader.h"

struct report_event_id {
	uint64_t id;
	uint32_t event;
};

/* The count of one event in a sample. */
struct sample_count {
	uint32_t event;
	uint64_t period;
};

struct sample_value; /* the count of an event in the previous sample */

struct sample_events {
	char **names;
	uint64_t *periods; /* by event: its period; 0: each sample has a period */
	size_t n;
	struct report_event_id *ids; /* sorted */
	size_t n_ids, ids_room;
	uint64_t sample_types; /* PERF_SAMPLE_*: fields that samples of any event have */
	bool stacks;           /* some samples have a copy of the stack to unwind */
	bool per_thread;       /* the counts of an event are per thread */
	struct sample_value *values;
	struct sample_count *counts; /* of the last sample */
	size_t counts_room;
};

/* Adds the new attributes of @reader. Returns 0 or -ENOMEM. */
int sample_events__update(struct sample_events *events, const struct perfdata_reader *reader);
/* Removes the counts of earlier samples. Call it before a file is read again. */
void sample_events__begin(struct sample_events *events);
/*
 * Finds the counts of the sample @event. As in perf, it counts for its own event, with its period.
 * A sample with counts (event ':S') stands for one sample of each event that has counted since the
 * previous sample; the period is the difference, and *@ret_n may be 0. *@ret is valid until the
 * next call. Call it for all samples in time order. Returns 0 or -ENOMEM.
 */
int sample_events__counts(struct sample_events *events, const struct event *event,
	const struct sample_count **ret, size_t *ret_n);
/* Returns the number of the event of @sample, and sets *@ret_period to the sample's period. */
uint32_t sample_events__of(const struct sample_events *events, const struct event_sample *sample,
	uint64_t *ret_period);
void sample_events__free(struct sample_events *events);

#endif
