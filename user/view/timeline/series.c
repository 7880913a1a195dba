// SPDX-License-Identifier: GPL-2.0-only
/*
 * See series.h. When the bins become wider, a series is converted only when it is next used,
 * because there may be many series.
 */
#include "user/view/timeline/series.h"

#include <errno.h>
#include <stdlib.h>

#include "user/base/array.h"

#define BASE_NS 1000u

uint64_t timeline_bins__width(const struct timeline_bins *bins)
{
	return (uint64_t)BASE_NS << bins->level;
}

void timeline_bins__reach(struct timeline_bins *bins, uint64_t time_ns)
{
	if (!bins->begun) {
		bins->begun = true;
		bins->begin_ns = time_ns;
	}
	/* Level 45 suffices for 2^64 ns. */
	while (time_ns > bins->begin_ns &&
		((time_ns - bins->begin_ns) / BASE_NS) >> bins->level >= TIMELINE_BINS_MAX)
		bins->level++;
}

static uint32_t sum(uint32_t a, uint64_t b)
{
	return b > UINT32_MAX - a ? UINT32_MAX : a + (uint32_t)b;
}

void timeline_series__settle(struct timeline_series *series, const struct timeline_bins *bins)
{
	uint32_t shift = bins->level - series->level;
	size_t n = 0;

	series->level = bins->level;
	if (!shift || !series->n)
		return;
	for (size_t i = 0; i < series->n; i++) {
		struct timeline_count folded = series->v[i];

		folded.bin = shift < 32 ? folded.bin >> shift : 0;
		if (n && series->v[n - 1].bin == folded.bin)
			series->v[n - 1].count = sum(series->v[n - 1].count, folded.count);
		else
			series->v[n++] = folded;
	}
	series->n = n;
}

int timeline_series__add(struct timeline_series *series, const struct timeline_bins *bins,
	uint64_t time_ns, uint64_t count)
{
	uint64_t since = time_ns > bins->begin_ns ? time_ns - bins->begin_ns : 0;
	uint32_t bin = (uint32_t)(since / BASE_NS >> bins->level);
	size_t at;

	timeline_series__settle(series, bins);
	/* It is nearly always the last one. */
	for (at = series->n; at > 0 && series->v[at - 1].bin > bin; at--)
		;
	if (at > 0 && series->v[at - 1].bin == bin) {
		series->v[at - 1].count = sum(series->v[at - 1].count, count);
		return 0;
	}
	if (array__reserve(&series->v, &series->room, series->n + 1, sizeof(*series->v)))
		return -ENOMEM;
	for (size_t i = series->n; i > at; i--)
		series->v[i] = series->v[i - 1];
	series->v[at] = (struct timeline_count){.bin = bin, .count = sum(0, count)};
	series->n++;
	return 0;
}

void timeline_series__free(struct timeline_series *series)
{
	free(series->v);
	*series = (struct timeline_series){0};
}
