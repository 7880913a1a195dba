/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of a recording that have samples: the event of a sample, its name, and the
 * period of samples without one.
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

struct sample_events {
	char **names;
	uint64_t *periods; /* 0: each sample has its own */
	size_t n;
	struct report_event_id *ids; /* sorted */
	size_t n_ids;
	uint64_t sample_types; /* PERF_SAMPLE_*: what samples of any event have */
	bool stacks;           /* some have samples with the stack, to be unwound */
};

/* Adds the new attributes of @reader. Returns 0 or -ENOMEM. */
int sample_events__update(struct sample_events *events, const struct perfdata_reader *reader);
/* The number of the event of @sample, and the sample's period. */
uint32_t sample_events__of(const struct sample_events *events, const struct event_sample *sample,
	uint64_t *ret_period);
void sample_events__free(struct sample_events *events);

#endif
