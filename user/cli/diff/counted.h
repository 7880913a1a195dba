/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads one recording of a comparison, counts its samples by side, slice of time and
 * address, and resolves the addresses. A part of diff.
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
	double weight, squares; /* sum of the periods, and sum of their squares */
};

struct counted {
	const char *path;
	bool active[SIDES];
	struct readings readings;
	struct sample_events events;
	struct samples *samples;
	struct place_names names;
	/* By side and event. */
	struct side_sums *sums[SIDES];
	size_t n_sums[SIDES];
	uint32_t levels[SIDES]; /* levels of the slices, after reading */
	/* Times of the first and last samples; 0: there are no samples. */
	uint64_t first_ns[SIDES], last_ns[SIDES];
	uint64_t life_ns[SIDES];
	size_t n_processes[SIDES];
	uint64_t n_of_both; /* see members__n_of_both() */
	/* The following fields are used only while reading. */
	struct members *members;
	struct slices *slices;     /* slices of both sides */
	enum comparison_side side; /* side of the last sample; SIDES: none */
	bool no_memory;
	const struct diff_command *command;
	struct symbol_files files;
};

/*
 * Reads @path. Its samples belong to the @active sides. @slices are those of both sides, and may
 * contain other recordings. All arguments have to live as long as @ret. Returns 0 or -errno. The
 * caller frees @ret in either case.
 */
int counted__read(struct counted *ret, const char *path, const bool active[SIDES],
	const struct diff_command *command, struct slices *slices, struct error *err);
void counted__free(struct counted *counted);

/* Return the side and the slice of a group of samples. */
enum comparison_side counted__side(uint32_t group);
uint32_t counted__slice(uint32_t group);
/* Returns the number of the event with this name, with or without terms; or SAMPLES_NONE. */
uint32_t counted__event(const struct counted *counted, const char *name);

#endif
