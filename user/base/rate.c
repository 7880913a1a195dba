// SPDX-License-Identifier: GPL-2.0-only
/* See rate.h. */
#include "user/base/rate.h"

#define TOKEN 1000000000ull
#define PER_SECOND_MAX 1000000000ull

void rate__init(struct rate *rate, uint64_t per_second)
{
	rate->per_second = per_second < PER_SECOND_MAX ? per_second : PER_SECOND_MAX;
	rate->left = rate->per_second * TOKEN;
	rate->last_ns = 0;
}

bool rate__take(struct rate *rate, uint64_t now_ns)
{
	uint64_t most = rate->per_second * TOKEN, passed = 0;

	if (!rate->per_second)
		return true;
	if (now_ns > rate->last_ns) {
		passed = now_ns - rate->last_ns;
		rate->last_ns = now_ns;
	}
	/* The bucket is full after a second. */
	if (passed >= TOKEN || rate->left + passed * rate->per_second > most)
		rate->left = most;
	else
		rate->left += passed * rate->per_second;
	if (rate->left < TOKEN)
		return false;
	rate->left -= TOKEN;
	return true;
}
