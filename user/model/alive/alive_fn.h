/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions that receive the current state: as events, and as counts. */
#ifndef PERFSTAMP_MODEL_ALIVE_ALIVE_FN_H
#define PERFSTAMP_MODEL_ALIVE_ALIVE_FN_H

#include <stddef.h>

#include "user/event/event.h"

/* Receives one event, valid during the call. A nonzero result ends the calls, and is returned. */
typedef int alive_fn(void *ctx, const struct event *event);

struct alive_counts {
	size_t processes;
	size_t threads; /* other than the first of a process */
	size_t mappings;
	size_t dsos;
	size_t cgroups;
	size_t symbols;
	size_t programs;
	size_t bytes; /* approximate size of all */
};

#endif
