/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * So many a second and no more, in bursts of as many: a bucket of tokens. Asks no
 * clock; whoever uses it counts what it refuses.
 */
#ifndef PERFSTAMP_BASE_RATE_H
#define PERFSTAMP_BASE_RATE_H

#include <stdbool.h>
#include <stdint.h>

struct rate {
	uint64_t per_second; /* 0: no limit */
	uint64_t left;       /* in units of a token's billionth */
	uint64_t last_ns;
};

void rate__init(struct rate *rate, uint64_t per_second);
/* Whether one more is in bounds at @now_ns, a time that does not go back. */
bool rate__take(struct rate *rate, uint64_t now_ns);

#endif
