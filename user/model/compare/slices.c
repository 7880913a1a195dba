// SPDX-License-Identifier: GPL-2.0-only
/* slices: see slices.h. */
#include "user/model/compare/slices.h"

#define NS_PER_MS 1000000ull

static uint64_t width_of(const struct slices *slices)
{
	return NS_PER_MS << slices->level;
}

uint32_t slices__missing(struct slices *slices, uint64_t time_ns)
{
	uint32_t n = 0;

	if (!slices->begun) {
		*slices = (struct slices){.begin_ns = time_ns, .end_ns = time_ns, .begun = true};
		return 0;
	}
	if (time_ns > slices->end_ns)
		slices->end_ns = time_ns;
	while (n < 40 && time_ns > slices->begin_ns &&
		(time_ns - slices->begin_ns) / (width_of(slices) << n) >= SLICES_MAX)
		n++;
	return n;
}

uint32_t slices__at(const struct slices *slices, uint64_t time_ns)
{
	uint64_t i;

	if (time_ns <= slices->begin_ns)
		return 0;
	i = (time_ns - slices->begin_ns) / width_of(slices);
	return i < SLICES_MAX ? (uint32_t)i : SLICES_MAX - 1;
}

uint64_t slices__width(const struct slices *slices, uint32_t i)
{
	uint64_t from = slices->begin_ns + i * width_of(slices);
	uint64_t to = from + width_of(slices);

	if (from >= slices->end_ns)
		return 0;
	return (to < slices->end_ns ? to : slices->end_ns) - from;
}
