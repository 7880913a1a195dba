/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the samples of a recording once or twice. Stacks are unwound in a second reading: the first
 * one collects what is known about the DSOs. Names of run-time code also need two readings: a later
 * record may name the code of an earlier sample. Does not know any command.
 */
#ifndef PERFSTAMP_CLI_PROFILE_READINGS_H
#define PERFSTAMP_CLI_PROFILE_READINGS_H

#include "user/cli/input.h"
#include "user/cli/profile/recorded_code.h"
#include "user/cli/profile/stacks.h"
#include "user/model/profile/samples.h"

struct readings {
	struct input input; /* the input after the last reading */
	struct input first; /* in the second reading: the input after the first one */
	bool again;         /* it is the second reading */
	struct recorded_code *code;
	const struct code_names *code_names; /* NULL: not known yet, or no names */
	struct sample_stacks *stacks;        /* NULL: stacks are not unwound */
};

/*
 * Reads the recording into .input; provided by the command, for both readings. Returns 0 or -errno.
 */
typedef int (*readings_fn)(void *ctx, struct error *err);

/* Does the first reading with @read. Returns 0 or -errno. The caller frees @ret in either case. */
int readings__first(struct readings *ret, readings_fn read, void *ctx, struct error *err);
/*
 * Does a second reading with @read. If @unwinds, unwinds stacks with the files in @symbols. Clears
 * .debuginfod there if a server failed. Returns 0 or -errno.
 */
int readings__second(struct readings *readings, bool unwinds, struct symbols_options *symbols,
	readings_fn read, void *ctx, struct error *err);
void readings__free(struct readings *readings);

/*
 * Call it for each event in time order, before samples__apply(), in each reading. Returns 0 or
 * -ENOMEM.
 */
int readings__take(struct readings *readings, const struct event *event);
/* Sets the options for samples in this reading: .unwind and .code_names. */
void readings__of_samples(const struct readings *readings, struct samples_options *ret);

#endif
