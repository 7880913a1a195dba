// SPDX-License-Identifier: GPL-2.0-only
/* See counters.h. */
#include "user/perfdata/features/counters.h"

#include <string.h>

#include "user/perfdata/features/stamp.h"

#define COUNTER_ROW(id, kind, line, metric, unit, label, value, help)                              \
	[COUNTER_##id] = {kind, line, metric, unit, label, value, help},
#define COUNTER_LOSS_ROW(id, name, words, remedy)                                                  \
	[COUNTER_LOST_##id] = {                                                                    \
		COUNTER_SINCE, "lost." name, "lost", NULL, "cause", name, "Losses, by cause."},

static const struct counter_row ROWS[COUNTERS_N] = {COUNTERS(COUNTER_ROW, COUNTER_LOSS_ROW)};

#define GAUGE_ROW(id, metric_name, metric_unit, text)                                              \
	[GAUGE_##id] = {.metric = (metric_name), .unit = (metric_unit), .help = (text)},

static const struct counter_row GAUGE_ROWS[GAUGES_N] = {GAUGES(GAUGE_ROW)};

#define LOSS_CAUSE_ROW(id, name, words, remedy) [LOSS_##id] = {name, words, remedy},

static const struct {
	const char *name;
	const char *of_maps;
	const char *remedy;
} CAUSES[LOSS_CAUSES_N] = {LOSS_CAUSES(LOSS_CAUSE_ROW)};

const struct counter_row *counter__row(enum counter counter)
{
	return &ROWS[counter];
}

const struct counter_row *gauge__row(enum gauge gauge)
{
	return &GAUGE_ROWS[gauge];
}

const char *loss_cause__name(enum loss_cause cause)
{
	return CAUSES[cause].name;
}

const char *loss_cause__of_maps(enum loss_cause cause)
{
	return CAUSES[cause].of_maps;
}

const char *loss_cause__remedy(const char *name)
{
	for (size_t i = 0; i < LOSS_CAUSES_N; i++)
		if (!strcmp(CAUSES[i].name, name))
			return CAUSES[i].remedy;
	return NULL;
}

uint64_t counters__lost_maps(const struct counters *counters)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < LOSS_CAUSES_N; i++)
		sum += CAUSES[i].of_maps ? counters->n[counter__of_loss(i)] : 0;
	return sum;
}

uint64_t counters__lost(const struct counters *counters)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < LOSS_CAUSES_N; i++)
		sum += counters->n[counter__of_loss(i)];
	return sum;
}

void counters__begin_file(struct counters *counters)
{
	for (size_t i = 0; i < COUNTERS_N; i++)
		if (ROWS[i].kind != COUNTER_SINCE)
			counters->n[i] = 0;
}

void counters__subtract(struct counters *counters, const struct counters *base)
{
	for (size_t i = 0; i < COUNTERS_N; i++)
		if (ROWS[i].kind == COUNTER_SINCE)
			counters->n[i] -= counters->n[i] > base->n[i] ? base->n[i] : counters->n[i];
}

void counters__add_file(
	struct counters *to, const struct counters *file, const struct counters *repeated)
{
	for (size_t i = 0; i < COUNTERS_N; i++)
		if (ROWS[i].kind == COUNTER_ANEW)
			to->n[i] += file->n[i] - (repeated ? repeated->n[i] : 0);
}

void counters__take_anew(struct counters *to, const struct counters *from)
{
	for (size_t i = 0; i < COUNTERS_N; i++)
		if (ROWS[i].kind == COUNTER_ANEW)
			to->n[i] = from->n[i];
}

void counters__stamp(const struct counters *counters, struct buffer *out)
{
	for (size_t i = 0; i < COUNTERS_N; i++)
		if (ROWS[i].line)
			stamp__put_number(out, ROWS[i].line, counters->n[i]);
}
