// SPDX-License-Identifier: GPL-2.0-only
/* See reading.h. */
#include "user/cli/timeline/reading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "user/cli/cli.h"

/* Returns the number of the event of @sample. Each file may have other events. */
static int find_event(struct timeline_reading *reading, const struct perfdata_reader *reader,
	const struct event_sample *sample, uint32_t *ret)
{
	struct sample_events *events = &reading->events;
	uint64_t period;
	uint32_t of, *numbers;

	if (sample_events__update(events, reader))
		return -ENOMEM;
	if (reading->n_event_numbers < events->n) {
		numbers = reallocarray(reading->event_numbers, events->n, sizeof(*numbers));
		if (!numbers)
			return -ENOMEM;
		reading->event_numbers = numbers;
		for (size_t i = reading->n_event_numbers; i < events->n; i++)
			if (texts__add(&reading->event_names, events->names[i], &numbers[i]))
				return -ENOMEM;
		reading->n_event_numbers = events->n;
	}
	of = sample_events__of(events, sample, &period);
	*ret = of < events->n ? reading->event_numbers[of] : 0;
	reading->has_stacks |= events->stacks;
	return 0;
}

/* A sample without a cgroup of its own belongs to the cgroup of its process. */
static int take_sample(struct timeline_reading *reading, const struct perfdata_reader *reader,
	const struct model *model, const struct event *event)
{
	struct event sample = *event;
	struct model_process process;
	uint32_t of, sum;
	int err = find_event(reading, reader, &event->sample, &of);

	if (err)
		return err;
	if (!sample.sample.cgroup && model__process(model, event->pid, &process))
		sample.sample.cgroup = process.cgroup_id;
	err = samples__apply(reading->samples, model, &sample, of, 1);
	sum = samples__counted(reading->samples);
	return err || sum == SAMPLES_NONE ? err : timeline__count(reading->timeline, event, sum);
}

/* Later files of a series begin with a copy of earlier records (docs/format.md). */
static bool is_repeated(const struct timeline_reading *reading, const struct event *event)
{
	return reading->later && event->kind == EVENT_CODE && !event->time_ns;
}

static int take(void *ctx, const struct perfdata_reader *reader, const struct model *model,
	const struct event *event)
{
	struct timeline_reading *reading = ctx;

	if (!reading->readings.again && timeline__add(reading->timeline, model, event))
		return -ENOMEM;
	if (!reading->samples)
		return 0;
	if (!is_repeated(reading, event) && readings__take(&reading->readings, event))
		return -ENOMEM;
	if (event->kind == EVENT_SAMPLE)
		return take_sample(reading, reader, model, event);
	return samples__apply(reading->samples, model, event, 0, 0);
}

static void next_file(void *ctx)
{
	struct timeline_reading *reading = ctx;

	sample_events__free(&reading->events);
	reading->events = (struct sample_events){0};
	reading->n_event_numbers = 0;
	reading->later = true;
}

static int read_files(void *ctx, struct error *err)
{
	struct timeline_reading *reading = ctx;
	const struct timeline_command *command = reading->command;
	const struct input_tap tap = {
		.fn = take,
		.ctx = reading,
		.again = reading->readings.again,
		.lives = true,
		.next_file = next_file,
	};
	struct samples_options options = {.cgroup = true, .chains = true};

	readings__of_samples(&reading->readings, &options);
	next_file(reading);
	reading->later = false;
	samples__free(reading->samples);
	reading->samples = NULL;
	timeline__forget_counts(reading->timeline);
	if (!command->no_functions && samples__new(&reading->samples, &options))
		return error__set(err, -ENOMEM, "out of memory");
	return input__read_series(
		&reading->readings.input, command->paths, command->n_paths, &tap, err);
}

/* Chooses the event with the most samples. */
static void choose_event(struct timeline_reading *reading)
{
	uint64_t best = 0;

	for (size_t event = 0; event < reading->event_names.n; event++) {
		uint64_t n = 0;

		for (size_t i = 0; i < samples__n(reading->samples); i++)
			if (samples__at(reading->samples, i)->event == event)
				n += samples__at(reading->samples, i)->n;
		if (n <= best)
			continue;
		best = n;
		reading->functions.event = event;
		reading->functions.event_name = texts__at(&reading->event_names, event);
	}
}

static void warn(const struct timeline_reading *reading)
{
	place_names__warn_of_server(&reading->names);
	recorded_code__warn(reading->readings.code);
}

static int find_functions(struct timeline_reading *reading, struct error *err)
{
	const struct timeline_command *command = reading->command;
	struct readings *readings = &reading->readings;
	struct symbols_options options;

	if (symbol_files__find(&reading->files, command->paths[0], &command->symbol_conf,
		    readings->input.directory, err))
		return -ENOMEM;
	if ((readings->code_names || reading->has_stacks) &&
		readings__second(readings, reading->has_stacks, &reading->files.symbols, read_files,
			reading, err))
		return -EIO;
	options = reading->files.symbols;
	options.inlined = true;
	if (place_names__find(&reading->names, reading->samples, &readings->input, &options,
		    readings->code_names, err))
		return -EIO;
	symbol_files__free(&reading->files);
	warn(reading);
	choose_event(reading);
	reading->functions.samples = reading->samples;
	reading->functions.resolved = reading->names.resolved;
	reading->functions.identities = reading->names.identities;
	return 0;
}

int timeline_reading__read(
	struct timeline_reading *ret, const struct timeline_command *command, struct error *err)
{
	*ret = (struct timeline_reading){.command = command};
	if (timeline__new(&ret->timeline))
		return error__set(err, -ENOMEM, "out of memory");
	if (readings__first(&ret->readings, read_files, ret, err))
		return -EIO;
	return command->no_functions ? 0 : find_functions(ret, err);
}

void timeline_reading__free(struct timeline_reading *reading)
{
	place_names__free(&reading->names);
	samples__free(reading->samples);
	readings__free(&reading->readings);
	sample_events__free(&reading->events);
	texts__free(&reading->event_names);
	free(reading->event_numbers);
	symbol_files__free(&reading->files);
	timeline__free(reading->timeline);
}
