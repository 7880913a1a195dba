/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Puts events in time order. Sources are in order each for itself, but not
 * among each other, so events wait until none that is older can come: as in
 * perf (tools/perf/util/ordered-events.c), the end of round n releases what is
 * not younger than the newest event of round n - 1. Pure: a queue and a
 * callback.
 */
#ifndef PERFSTAMP_EVENT_ORDER_H
#define PERFSTAMP_EVENT_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"

struct order;

/* Takes one event; a value other than 0 ends the call in progress, which returns it. */
typedef int order_fn(void *ctx, const struct event *event);

/*
 * @limit is the memory in bytes that waiting events may take; when it is
 * reached, the older half is released early. 0 is ORDER_LIMIT_DEFAULT.
 * Returns 0 or -ENOMEM.
 */
#define ORDER_LIMIT_DEFAULT (256u << 20)
int order__new(struct order **ret, order_fn *fn, void *ctx, size_t limit);
/* Drops what still waits. */
void order__free(struct order *order);

/*
 * Takes a copy of @event with all it points to. Those without a time (0, or all
 * ones) are released at once, as in perf. EVENT_FINISHED_ROUND is not queued
 * but ends the round. Returns 0, -ENOMEM, or what the callback returned.
 */
int order__push(struct order *order, const struct event *event);
int order__finish_round(struct order *order);
/* Releases those of no later time than @time_ns: for who knows that no older ones come. */
int order__release(struct order *order, uint64_t time_ns);
/* Calls @fn for each that still waits, in no order; another value than 0 ends it, and is returned.
 */
int order__for_each(const struct order *order, order_fn *fn, void *ctx);
/* Bytes that what waits takes. */
size_t order__memory(const struct order *order);
/* Releases all: the end of the data. */
int order__flush(struct order *order);

/* Events that came after a younger one had been released. */
uint64_t order__late(const struct order *order);

#endif
