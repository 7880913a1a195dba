/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A token bucket: limits events to a number per second, in bursts of at most that number.
 * Does not read a clock; the caller counts refusals.
 */
#ifndef PERFSTAMP_BASE_RATE_H
#define PERFSTAMP_BASE_RATE_H

#include <stdbool.h>
#include <stdint.h>

struct rate {
	uint64_t per_second; /* 0: no limit */
	uint64_t left;       /* in billionths of a token */
	uint64_t last_ns;
};

void rate__init(struct rate *rate, uint64_t per_second);
/* Whether one more event is allowed at @now_ns, a monotonic time. */
bool rate__take(struct rate *rate, uint64_t now_ns);

#endif
