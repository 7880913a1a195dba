// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time-ordering queue, see order.h: a binary heap, so that each event takes at most logarithmic
 * time, in whatever order the events are.
 */
#include "user/event/order.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "user/base/array.h"
#include "user/event/copy.h"

struct item {
	uint64_t time;
	uint64_t seq; /* events of the same time keep their order */
	size_t size;
	struct event *event;
};

struct order {
	order_fn *fn;
	void *ctx;
	size_t limit;
	size_t memory;
	struct item *heap; /* the oldest event is first */
	size_t n;
	size_t room;
	uint64_t seq;
	uint64_t newest;   /* the newest time of all queued events so far */
	uint64_t release;  /* events up to this time are released at the next round's end */
	uint64_t released; /* the newest time released */
	uint64_t late;
};

int order__new(struct order **ret, order_fn *fn, void *ctx, size_t limit)
{
	struct order *order = calloc(1, sizeof(*order));

	if (!order)
		return -ENOMEM;
	order->fn = fn;
	order->ctx = ctx;
	order->limit = limit ? limit : ORDER_LIMIT_DEFAULT;
	*ret = order;
	return 0;
}

void order__free(struct order *order)
{
	if (!order)
		return;
	for (size_t i = 0; i < order->n; i++)
		free(order->heap[i].event);
	free(order->heap);
	free(order);
}

static bool is_older(const struct item *a, const struct item *b)
{
	return a->time != b->time ? a->time < b->time : a->seq < b->seq;
}

static void heap__push(struct order *order, struct item item)
{
	struct item *heap = order->heap;
	size_t at = order->n++;

	for (; at && is_older(&item, &heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = item;
}

static struct item heap__pop(struct order *order)
{
	struct item *heap = order->heap;
	struct item oldest = heap[0], last = heap[--order->n];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < order->n) {
		if (child + 1 < order->n && is_older(&heap[child + 1], &heap[child]))
			child++;
		if (!is_older(&heap[child], &last))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = last;
	return oldest;
}

static int release_oldest(struct order *order)
{
	struct item item = heap__pop(order);
	int err;

	order->memory -= item.size;
	if (item.time > order->released)
		order->released = item.time;
	err = order->fn(order->ctx, item.event);
	free(item.event);
	return err;
}

static int release_until(struct order *order, uint64_t time)
{
	int err = 0;

	while (!err && order->n && order->heap[0].time <= time)
		err = release_oldest(order);
	return err;
}

static int release_half(struct order *order)
{
	int err = 0;

	for (size_t n = (order->n + 1) / 2; n && !err; n--)
		err = release_oldest(order);
	return err;
}

int order__push(struct order *order, const struct event *event)
{
	struct item item = {.time = event->time_ns};

	if (event->kind == EVENT_FINISHED_ROUND)
		return order__finish_round(order);
	if (!item.time || item.time == UINT64_MAX)
		return order->fn(order->ctx, event);
	if (array__reserve(&order->heap, &order->room, order->n + 1, sizeof(*order->heap)))
		return -ENOMEM;
	item.event = event__copy(event, &item.size);
	if (!item.event)
		return -ENOMEM;
	item.size += sizeof(item);
	item.seq = order->seq++;
	if (item.time < order->released)
		order->late++;
	if (item.time > order->newest)
		order->newest = item.time;
	order->memory += item.size;
	heap__push(order, item);
	if (order->memory <= order->limit)
		return 0;
	return release_half(order);
}

int order__finish_round(struct order *order)
{
	int err = release_until(order, order->release);

	order->release = order->newest;
	return err;
}

int order__release(struct order *order, uint64_t time_ns)
{
	return release_until(order, time_ns);
}

int order__for_each(const struct order *order, order_fn *fn, void *ctx)
{
	int err = 0;

	for (size_t i = 0; !err && i < order->n; i++)
		err = fn(ctx, order->heap[i].event);
	return err;
}

size_t order__memory(const struct order *order)
{
	return order->memory;
}

int order__flush(struct order *order)
{
	return release_until(order, UINT64_MAX);
}

uint64_t order__late(const struct order *order)
{
	return order->late;
}
