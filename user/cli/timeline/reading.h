/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The recording of a timeline read: counts over time, and the functions of its samples, as
 * report names them. A part of timeline.
 */
#ifndef PERFSTAMP_CLI_TIMELINE_READING_H
#define PERFSTAMP_CLI_TIMELINE_READING_H

#include "user/cli/profile/events.h"
#include "user/cli/profile/files.h"
#include "user/cli/profile/readings.h"
#include "user/cli/profile/resolve.h"
#include "user/cli/timeline/options.h"
#include "user/view/timeline/timeline.h"

struct timeline_reading {
	const struct timeline_command *command;
	struct timeline *timeline;
	struct readings readings;
	bool later; /* it is a file of a series after the first */
	struct samples *samples;
	struct sample_events events; /* events of the file that is being read */
	uint32_t *event_numbers;     /* number of each of them in .event_names */
	size_t n_event_numbers;
	struct texts event_names;
	bool has_stacks; /* some samples need unwinding */
	struct symbol_files files;
	struct place_names names;
	struct timeline_functions functions; /* .samples NULL: there are none */
};

/* Returns 0 or -errno with text; free it in either case. @command must live as long. */
int timeline_reading__read(
	struct timeline_reading *ret, const struct timeline_command *command, struct error *err);
void timeline_reading__free(struct timeline_reading *reading);

#endif
