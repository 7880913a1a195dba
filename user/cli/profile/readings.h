/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording's samples, read once or twice. Stacks are unwound in a second reading: the
 * first tells what there is to know of the DSOs. Names of run-time code need two readings
 * as well: later records have names of code that was made about the time of a sample. Does
 * not know any command.
 */
#ifndef PERFSTAMP_CLI_PROFILE_READINGS_H
#define PERFSTAMP_CLI_PROFILE_READINGS_H

#include "user/cli/input.h"
#include "user/cli/profile/recorded_code.h"
#include "user/cli/profile/stacks.h"
#include "user/model/profile/samples.h"

struct readings {
	struct input input; /* the input after the last reading */
	struct input first; /* in a second reading: the input after the first one */
	bool again;         /* it is the second reading */
	struct recorded_code *code;
	const struct code_names *code_names; /* NULL: not known yet, or there are none */
	struct sample_stacks *stacks;        /* NULL: none are unwound */
};

/* How a command reads the recording into .input, in both readings. Returns 0 or -errno. */
typedef int (*readings_fn)(void *ctx, struct error *err);

/* The first reading, by @read. Returns 0 or -errno; free @ret in either case. */
int readings__first(struct readings *ret, readings_fn read, void *ctx, struct error *err);
/*
 * A second one, by @read, which unwinds stacks if @unwinds, with the files that @symbols
 * has. It turns off .debuginfod in them after a server failed. Returns 0 or -errno.
 */
int readings__second(struct readings *readings, bool unwinds, struct symbols_options *symbols,
	readings_fn read, void *ctx, struct error *err);
void readings__free(struct readings *readings);

/* In each reading: each event in time order, before samples__apply(). Returns 0 or -ENOMEM. */
int readings__take(struct readings *readings, const struct event *event);
/* Sets what this reading needs for samples: .unwind and .code_names. */
void readings__of_samples(const struct readings *readings, struct samples_options *ret);

#endif
