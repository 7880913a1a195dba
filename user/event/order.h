/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sorts events by time. Each source is in order, but the sources are interleaved. So events
 * are held until no older ones can follow: as in perf (tools/perf/util/ordered-events.c),
 * the end of round n releases all events up to the newest one of round n - 1. Pure: a queue
 * and a callback.
 */
#ifndef PERFSTAMP_EVENT_ORDER_H
#define PERFSTAMP_EVENT_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "user/event/event.h"

struct order;

/* Receives one event. A nonzero result ends the current call, which returns it. */
typedef int order_fn(void *ctx, const struct event *event);

/*
 * @limit is the memory in bytes that waiting events may take; when it is
 * reached, the older half is released early. 0 is ORDER_LIMIT_DEFAULT.
 * Returns 0 or -ENOMEM.
 */
#define ORDER_LIMIT_DEFAULT (256u << 20)
int order__new(struct order **ret, order_fn *fn, void *ctx, size_t limit);
/* Frees the queue. Events that were not released are dropped. */
void order__free(struct order *order);

/*
 * Adds a deep copy of @event. Events without a time (0, or all ones) are released at once, as in
 * perf. EVENT_FINISHED_ROUND is not queued but ends the round. Returns 0, -ENOMEM, or what the
 * callback returned.
 */
int order__push(struct order *order, const struct event *event);
int order__finish_round(struct order *order);
/* Releases events up to @time_ns, when the caller knows that no older ones follow. */
int order__release(struct order *order, uint64_t time_ns);
/*
 * Calls @fn for each queued event, in no particular order. A nonzero result ends the loop,
 * and is returned.
 */
int order__for_each(const struct order *order, order_fn *fn, void *ctx);
/* Size of the queued events in bytes. */
size_t order__memory(const struct order *order);
/* Releases all events, at the end of the data. */
int order__flush(struct order *order);

/* Number of events that were added after a newer one had been released. */
uint64_t order__late(const struct order *order);

#endif
