/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The branch records of a sample, one by one. Layout: struct perf_branch_entry in
 * include/uapi/linux/perf_event.h. Pure.
 */
#ifndef PERFSTAMP_EVENT_BRANCHES_H
#define PERFSTAMP_EVENT_BRANCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "user/event/event.h"

struct event_branch {
	uint64_t from;
	uint64_t to;
	bool mispredicted;
};

/* Branch record @i, below .n; 0 is the newest. */
struct event_branch event_branches__at(const struct event_branches *branches, uint64_t i);

#endif
