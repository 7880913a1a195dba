// SPDX-License-Identifier: GPL-2.0-only
/* See living.h. */
#include "user/record/state/living.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/event/decode.h"
#include "user/event/order.h"

struct living {
	struct alive *alive;
	struct order *order;
	struct event_decoder *decoder;
	uint64_t now_ns; /* time of the last advance */
};

static int apply(void *ctx, const struct event *event)
{
	struct living *living = ctx;

	return alive__apply(living->alive, event);
}

int living__new(struct living **ret, struct event_decoder *decoder, struct error *err)
{
	struct living *living = calloc(1, sizeof(*living));
	int code = living ? alive__new(&living->alive) : -ENOMEM;

	if (!code)
		code = order__new(&living->order, apply, living, 0);
	if (living)
		living->decoder = decoder;
	else
		event_decoder__free(decoder);
	if (code) {
		living__free(living);
		return error__errno(err, code, "what is alive");
	}
	*ret = living;
	return 0;
}

void living__free(struct living *living)
{
	if (!living)
		return;
	alive__free(living->alive);
	order__free(living->order);
	event_decoder__free(living->decoder);
	free(living);
}

int living__event(struct living *living, const struct event *event)
{
	/* Processes that it does not follow must not be written again either. */
	if (event->kind == EVENT_LOST || event->kind == EVENT_MODULE || event->kind == EVENT_CODE)
		return 0;
	return order__push(living->order, event);
}

int living__record(struct living *living, const struct record_view *view, struct error *err)
{
	struct event event;
	int code = event_decoder__decode(
		living->decoder, view->header, view->header->size, &event, NULL);

	/*
	 * The record is written unchanged, and `check' reports it, so it need not end the
	 * recording.
	 */
	if (code == -EBADMSG)
		return 0;
	if (code)
		return error__errno(err, code, "cannot decode");
	/* The whole record need not be kept. */
	event.raw = NULL;
	event.raw_size = 0;
	code = living__event(living, &event);
	return code ? error__errno(err, code, "what is alive") : 0;
}

int living__advance(struct living *living, uint64_t time_ns)
{
	/* The clock was set back: the next events have earlier times. */
	bool back = time_ns < living->now_ns;
	int code = back ? order__flush(living->order) : order__release(living->order, time_ns);

	living->now_ns = time_ns;
	return code;
}

int living__synthesize_image(const struct living *living, alive_fn *fn, void *ctx)
{
	return alive__synthesize_image(living->alive, fn, ctx);
}

int living__synthesize(const struct living *living, alive_fn *fn, void *ctx)
{
	int code = alive__synthesize(living->alive, living->now_ns, fn, ctx);

	return code ? code : order__for_each(living->order, fn, ctx);
}

struct alive *living__alive(const struct living *living)
{
	return living->alive;
}

size_t living__memory(const struct living *living)
{
	struct alive_counts counts;

	alive__count(living->alive, &counts);
	return counts.bytes + order__memory(living->order);
}
