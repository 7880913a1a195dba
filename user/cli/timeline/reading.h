/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the recording of a timeline: counts over time, and the functions of samples with names as
 * in report. A part of timeline.
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
	bool later; /* it is a file of a series, but not the first */
	struct samples *samples;
	struct sample_events events; /* events of the current file */
	uint32_t *event_numbers;     /* by event: the number in .event_names */
	size_t n_event_numbers;
	struct texts event_names;
	bool has_stacks; /* some samples have a stack to unwind */
	struct symbol_files files;
	struct place_names names;
	struct timeline_functions functions; /* .samples NULL: no functions */
};

/*
 * Returns 0 or -errno with text. The caller frees @ret in either case. @command has to live as long
 * as @ret.
 */
int timeline_reading__read(
	struct timeline_reading *ret, const struct timeline_command *command, struct error *err);
void timeline_reading__free(struct timeline_reading *reading);

#endif
