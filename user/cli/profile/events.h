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

/* Of the events that a sample counts, one. */
struct sample_count {
	uint32_t event;
	uint64_t period;
};

struct sample_value; /* an event's count in the sample before */

struct sample_events {
	char **names;
	uint64_t *periods; /* 0: each sample has its own */
	size_t n;
	struct report_event_id *ids; /* sorted */
	size_t n_ids;
	uint64_t sample_types; /* PERF_SAMPLE_*: what samples of any event have */
	bool stacks;           /* some have samples with the stack, to be unwound */
	bool per_thread;       /* the threads of an event have counts of their own */
	struct sample_value *values;
	struct sample_count *counts; /* of the last sample */
	size_t counts_room;
};

/* Adds the new attributes of @reader. Returns 0 or -ENOMEM. */
int sample_events__update(struct sample_events *events, const struct perfdata_reader *reader);
/* Forgets the counts of earlier samples. To be called before a file is read again. */
void sample_events__begin(struct sample_events *events);
/*
 * What the sample @event counts. As in perf, that is its own event, with the period of the sample.
 * A sample with counts (event ':S') stands for one sample of each event that was counted since the
 * sample before, with the difference as its period; *@ret_n may be 0. *@ret is valid until the next
 * call. Needs all samples, in the order of time. Returns 0 or -ENOMEM.
 */
int sample_events__counts(struct sample_events *events, const struct event *event,
	const struct sample_count **ret, size_t *ret_n);
/* The number of the event of @sample itself, and the sample's period. */
uint32_t sample_events__of(const struct sample_events *events, const struct event_sample *sample,
	uint64_t *ret_period);
void sample_events__free(struct sample_events *events);

#endif
