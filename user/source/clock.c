// SPDX-License-Identifier: GPL-2.0-only
/* See clock.h. */
#include "user/source/clock.h"

#include <time.h>

#define TRIES 5

uint64_t clock__now(int clockid)
{
	struct timespec ts = {0};

	clock_gettime(clockid, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* The closest of some tries: between two readings the process may lose the CPU. */
static struct clock_pair compare(int clockid)
{
	struct clock_pair best = {0};
	int64_t least = INT64_MAX, start, other, end;
	int i;

	for (i = 0; i < TRIES; i++) {
		start = clock__now(CLOCK_MONOTONIC);
		other = clock__now(clockid);
		end = clock__now(CLOCK_MONOTONIC);
		if (end - start >= least)
			continue;
		least = end - start;
		best.monotonic_ns = start + least / 2;
		best.offset_ns = other - best.monotonic_ns;
	}
	return best;
}

void clock_conversion__init(struct clock_conversion *conversion, int clockid)
{
	conversion->clockid = clockid;
	conversion->now = compare(clockid);
	conversion->before = conversion->now;
}

void clock_conversion__compare(struct clock_conversion *conversion)
{
	if (conversion->clockid == CLOCK_MONOTONIC)
		return;
	conversion->before = conversion->now;
	conversion->now = compare(conversion->clockid);
}

uint64_t clock_conversion__from_monotonic(
	const struct clock_conversion *conversion, uint64_t monotonic_ns)
{
	const struct clock_pair *before = &conversion->before, *now = &conversion->now;
	int64_t span, at, offset;

	if (conversion->clockid == CLOCK_MONOTONIC)
		return monotonic_ns;
	span = now->monotonic_ns - before->monotonic_ns;
	at = (int64_t)monotonic_ns - before->monotonic_ns;
	if (span <= 0 || at <= 0)
		offset = before->offset_ns;
	else if (at >= span)
		offset = now->offset_ns;
	else
		offset = before->offset_ns +
			 (int64_t)((double)(now->offset_ns - before->offset_ns) * at / span);
	return monotonic_ns + offset;
}
