// SPDX-License-Identifier: GPL-2.0-only
/* See counted.h. */
#include "user/cli/diff/counted.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/base/array.h"

#define SIDE_SHIFT 8 /* a group of samples consists of its side and its slice */

enum comparison_side counted__side(uint32_t group)
{
	return group >> SIDE_SHIFT;
}

uint32_t counted__slice(uint32_t group)
{
	return group & ((1u << SIDE_SHIFT) - 1);
}

uint32_t counted__event(const struct counted *counted, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < counted->events.n; i++)
		if (!strcmp(counted->events.names[i], name))
			return i;
	/* "page-faults" also matches an event that was recorded as "page-faults/period=1/". */
	for (size_t i = 0; i < counted->events.n; i++)
		if (!strncmp(counted->events.names[i], name, len) &&
			counted->events.names[i][len] == '/')
			return i;
	return SAMPLES_NONE;
}

struct widening {
	enum comparison_side side;
	uint32_t times;
};

static uint32_t widen(void *ctx, uint32_t group)
{
	const struct widening *widening = ctx;

	if (counted__side(group) != widening->side)
		return group;
	/* Limit the shift: if times are far apart, it exceeds the bits of a slice. */
	return (uint32_t)widening->side << SIDE_SHIFT |
	       (uint32_t)((uint64_t)counted__slice(group) >> widening->times);
}

static uint32_t group_of(void *ctx, const struct model *model, const struct event *event)
{
	struct counted *counted = ctx;
	struct widening widening = {.side = members__side(counted->members, model, event)};
	struct slices *slices;

	counted->side = widening.side;
	if (widening.side == SIDES)
		return SAMPLES_NONE;
	slices = &counted->slices[widening.side];
	widening.times = slices__missing(slices, event->time_ns);
	if (widening.times && samples__regroup(counted->samples, widen, &widening))
		counted->no_memory = true;
	slices->level += widening.times;
	if (!counted->first_ns[widening.side])
		counted->first_ns[widening.side] = event->time_ns;
	counted->last_ns[widening.side] = event->time_ns;
	return (uint32_t)widening.side << SIDE_SHIFT | slices__at(slices, event->time_ns);
}

static int add_sum(
	struct counted *counted, enum comparison_side side, uint32_t event, double weight)
{
	struct side_sums *sums;

	if (array__reach(&counted->sums[side], &counted->n_sums[side], event, sizeof(*sums)))
		return -ENOMEM;
	sums = &counted->sums[side][event];
	sums->n++;
	sums->weight += weight;
	sums->squares += weight * weight;
	return 0;
}

static int apply(struct counted *counted, const struct model *model, const struct event *event,
	uint32_t of, uint64_t period)
{
	int err;

	counted->side = SIDES;
	err = samples__apply(counted->samples, model, event, of, period);
	if (!err && counted->side != SIDES)
		err = add_sum(counted, counted->side, of, (double)period);
	return err;
}

static int take_sample(struct counted *counted, const struct perfdata_reader *reader,
	const struct model *model, const struct event *event)
{
	const struct sample_count *counts;
	int err = 0;
	size_t n;

	if (sample_events__update(&counted->events, reader) ||
		sample_events__counts(&counted->events, event, &counts, &n))
		return -ENOMEM;
	for (size_t i = 0; i < n && !err; i++)
		err = apply(counted, model, event, counts[i].event, counts[i].period);
	return err;
}

static int take(void *ctx, const struct perfdata_reader *reader, const struct model *model,
	const struct event *event)
{
	struct counted *counted = ctx;
	int err;

	if (readings__take(&counted->readings, event))
		return -ENOMEM;
	err = members__follow(counted->members, model, event);
	if (err)
		return err;
	err = event->kind == EVENT_SAMPLE ? take_sample(counted, reader, model, event)
					  : apply(counted, model, event, 0, 0);
	return counted->no_memory ? -ENOMEM : err;
}

static int read_samples(void *ctx, struct error *err)
{
	struct counted *counted = ctx;
	const struct diff_command *command = counted->command;
	const struct input_tap tap = {.fn = take, .ctx = counted, .again = counted->readings.again};
	struct samples_options options = {
		.comm = command->folded,
		.chains = command->chains || command->folded,
		.group = group_of,
		.group_ctx = counted,
		.later_names = command->force,
	};

	readings__of_samples(&counted->readings, &options);
	sample_events__begin(&counted->events);
	samples__free(counted->samples);
	members__free(counted->members);
	counted->samples = NULL;
	counted->members = NULL;
	for (int side = 0; side < SIDES; side++) {
		free(counted->sums[side]);
		counted->sums[side] = NULL;
		counted->n_sums[side] = 0;
		counted->first_ns[side] = 0;
	}
	if (members__new(&counted->members, command->sides, counted->active) ||
		samples__new(&counted->samples, &options))
		return error__set(err, -ENOMEM, "out of memory");
	return input__read_with(&counted->readings.input, counted->path, &tap, err);
}

static int choose_files(struct counted *counted, struct error *err)
{
	const struct diff_command *command = counted->command;
	struct symbols_options *symbols = &counted->files.symbols;

	if (symbol_files__find(&counted->files, counted->path, &command->symbol_conf,
		    counted->readings.input.directory, err))
		return -ENOMEM;
	symbols->lines = !command->no_inline || command->source;
	symbols->inlined = !command->no_inline;
	symbols->force = command->force;
	return 0;
}

int counted__read(struct counted *ret, const char *path, const bool active[SIDES],
	const struct diff_command *command, struct slices *slices, struct error *err)
{
	bool unwinds;
	int failed;

	*ret = (struct counted){.path = path, .command = command, .slices = slices};
	memcpy(ret->active, active, sizeof(ret->active));
	if (readings__first(&ret->readings, read_samples, ret, err) || choose_files(ret, err))
		return -EIO;
	unwinds = ret->events.stacks && (command->chains || command->folded);
	if ((ret->readings.code_names || unwinds) &&
		readings__second(
			&ret->readings, unwinds, &ret->files.symbols, read_samples, ret, err))
		return -EIO;
	for (int side = 0; side < SIDES; side++) {
		ret->levels[side] = slices[side].level;
		ret->life_ns[side] = members__life_ns(ret->members, side);
		ret->n_processes[side] = members__n_processes(ret->members, side);
	}
	ret->n_of_both = members__n_of_both(ret->members);
	failed = place_names__find(&ret->names, ret->samples, &ret->readings.input,
		&ret->files.symbols, ret->readings.code_names, err);
	symbol_files__free(&ret->files);
	return failed;
}

void counted__free(struct counted *counted)
{
	place_names__free(&counted->names);
	samples__free(counted->samples);
	members__free(counted->members);
	readings__free(&counted->readings);
	sample_events__free(&counted->events);
	free(counted->sums[BEFORE]);
	free(counted->sums[AFTER]);
	symbol_files__free(&counted->files);
}
