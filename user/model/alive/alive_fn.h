/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions that receive the current state: as events, and as counts. */
#ifndef PERFSTAMP_MODEL_ALIVE_ALIVE_FN_H
#define PERFSTAMP_MODEL_ALIVE_ALIVE_FN_H

#include <stddef.h>

#include "user/event/event.h"

/*
 * Receives one event, which is valid during the call. A nonzero result stops the iteration, which
 * then returns it.
 */
typedef int alive_fn(void *ctx, const struct event *event);

struct alive_counts {
	size_t processes;
	size_t threads; /* without leaders */
	size_t mappings;
	size_t dsos;
	size_t cgroups;
	size_t symbols;
	size_t programs;
	size_t bytes; /* approximate memory of the whole state */
};

#endif
