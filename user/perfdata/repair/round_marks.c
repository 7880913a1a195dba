// SPDX-License-Identifier: GPL-2.0-only
/*
 * See round_marks.h, and ordered-events.c in tools/perf/util of Linux. A mark has no effect if no
 * record with a time is between it and the previous mark, and is then always dropped. So memory is
 * bounded by the number of records, not of marks.
 */
#include "user/perfdata/repair/round_marks.h"

#include <errno.h>
#include <stdlib.h>

#include "user/base/array.h"

static const struct round_span EMPTY = {UINT64_MAX, 0};

void round_marks__init(struct round_marks *rounds)
{
	*rounds = (struct round_marks){.stride = 1, .current = EMPTY};
}

void round_marks__free(struct round_marks *rounds)
{
	free(rounds->spans);
	round_marks__init(rounds);
}

static bool is_time(uint64_t time_ns)
{
	return time_ns && time_ns != UINT64_MAX;
}

static void extend(struct round_span *span, uint64_t time_ns)
{
	if (time_ns < span->oldest_ns)
		span->oldest_ns = time_ns;
	if (time_ns > span->newest_ns)
		span->newest_ns = time_ns;
}

static void join(struct round_span *span, const struct round_span *next)
{
	extend(span, next->oldest_ns);
	extend(span, next->newest_ns); /* an empty round changes nothing */
}

static void join_pairs(struct round_marks *rounds)
{
	size_t n = 0;

	for (size_t i = 0; i < rounds->n; i += 2) {
		struct round_span span = rounds->spans[i];

		if (i + 1 < rounds->n)
			join(&span, &rounds->spans[i + 1]);
		rounds->spans[n++] = span;
	}
	rounds->n = n;
	rounds->stride *= 2;
}

static int append(struct round_marks *rounds)
{
	if (array__reserve(&rounds->spans, &rounds->room, rounds->n + 1, sizeof(*rounds->spans)))
		return -ENOMEM;
	rounds->spans[rounds->n++] = rounds->current;
	rounds->current = EMPTY;
	return 0;
}

static void take_time(struct round_marks *rounds, uint64_t time_ns)
{
	if (!is_time(time_ns))
		return;
	extend(&rounds->current, time_ns);
	rounds->fresh = true;
}

void round_marks__note_time(struct round_marks *rounds, uint64_t time_ns)
{
	take_time(rounds, time_ns);
}

/* Whether the mark ends a round. Both passes use the same rule. */
static bool ends_round(struct round_marks *rounds)
{
	bool fresh = rounds->fresh;

	rounds->fresh = false;
	return fresh && ++rounds->marks % rounds->stride == 0;
}

int round_marks__note_mark(struct round_marks *rounds)
{
	int err;

	if (!ends_round(rounds))
		return 0;
	err = append(rounds);
	if (!err && rounds->n == ROUNDS_MAX)
		join_pairs(rounds);
	return err;
}

int round_marks__settle(struct round_marks *rounds)
{
	int err = append(rounds); /* the records after the last mark */

	for (size_t i = rounds->n - 1; !err && i > 0; i--)
		if (rounds->spans[i].oldest_ns < rounds->spans[i - 1].oldest_ns)
			rounds->spans[i - 1].oldest_ns = rounds->spans[i].oldest_ns;
	rounds->marks = 0;
	rounds->fresh = false;
	return err;
}

void round_marks__time(struct round_marks *rounds, uint64_t time_ns)
{
	take_time(rounds, time_ns);
}

enum round_mark round_marks__mark(struct round_marks *rounds)
{
	uint64_t newest = rounds->current.newest_ns;

	if (!ends_round(rounds))
		return ROUND_SAYS_NOTHING;
	rounds->current = EMPTY;
	if (newest > rounds->newest_ns)
		rounds->newest_ns = newest;
	if (++rounds->asked >= rounds->n)
		return ROUND_SAYS_NOTHING;
	if (rounds->spans[rounds->asked].oldest_ns < rounds->flush_ns)
		return ROUND_UNTRUE;
	rounds->flush_ns = rounds->newest_ns;
	return ROUND_TRUE;
}
