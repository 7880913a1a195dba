/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counts in a sample, one by one. Layout: struct perf_event_attr.read_format in
 * include/uapi/linux/perf_event.h. Pure.
 */
#ifndef PERFSTAMP_EVENT_COUNTS_H
#define PERFSTAMP_EVENT_COUNTS_H

#include <stdint.h>

#include "user/event/event.h"

struct event_count {
	uint64_t id;    /* of the event that was counted */
	uint64_t value; /* since the event was opened */
};

/* Count @i of @sample, below .counts.n. */
struct event_count event_counts__at(const struct event_sample *sample, uint64_t i);

#endif
