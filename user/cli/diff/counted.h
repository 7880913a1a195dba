/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One recording of a comparison: read, its samples counted by side, slice of time and address,
 * and the addresses resolved. A part of diff.
 */
#ifndef PERFSTAMP_CLI_DIFF_COUNTED_H
#define PERFSTAMP_CLI_DIFF_COUNTED_H

#include "user/cli/diff/options.h"
#include "user/cli/diff/selection.h"
#include "user/cli/profile/events.h"
#include "user/cli/profile/files.h"
#include "user/cli/profile/readings.h"
#include "user/cli/profile/resolve.h"

/* Samples of one event on one side. */
struct side_sums {
	uint64_t n;
	double weight, squares; /* the sums of their periods, and of the squares of these */
};

struct counted {
	const char *path;
	bool active[SIDES];
	struct readings readings;
	struct sample_events events;
	struct samples *samples;
	struct place_names names;
	/* By event, for each side. */
	struct side_sums *sums[SIDES];
	size_t n_sums[SIDES];
	uint32_t levels[SIDES];                   /* of the slices, when it had been read */
	uint64_t first_ns[SIDES], last_ns[SIDES]; /* of the samples; 0: there are none */
	uint64_t life_ns[SIDES];
	size_t n_processes[SIDES];
	/* The rest is of use while it is read. */
	struct members *members;
	struct slices *slices;     /* the sides' */
	enum comparison_side side; /* of the last sample; SIDES: of none */
	bool no_memory;
	const struct diff_command *command;
	struct symbol_files files;
};

/*
 * Reads @path, whose samples belong to the sides that are @active; @slices, of both sides,
 * may have begun with other recordings. All that is given has to live as long. Returns 0 or
 * -errno; to be freed in either case.
 */
int counted__read(struct counted *ret, const char *path, const bool active[SIDES],
	const struct diff_command *command, struct slices *slices, struct error *err);
void counted__free(struct counted *counted);

/* Of a group that its samples are counted in. */
enum comparison_side counted__side(uint32_t group);
uint32_t counted__slice(uint32_t group);
/* The number of the event of this name, with terms or without; or SAMPLES_NONE. */
uint32_t counted__event(const struct counted *counted, const char *name);

#endif
