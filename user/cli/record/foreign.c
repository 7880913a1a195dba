// SPDX-License-Identifier: GPL-2.0-only
/* See foreign.h. */
#include "user/cli/record/foreign.h"

#include <stdbool.h>
#include <stdio.h>

#include "user/cli/record/request.h"

#define ONE_READER "one thread reads all rings, at once when one fills"
#define ONE_WRITER                                                                                 \
	"one thread writes the samples of 256 CPUs at 4000 Hz in a fraction of its time, into "    \
	"one file (docs/large-machines.md); directories that perf has written can be read"
#define AT_ONCE "the kernel lists all running processes at once"
#define NO_AUX "AUX area traces (Intel PT and the like) are not recorded"
#define LATER "symbols are looked up when reporting"
#define MAY OPTION_ARG_OPTIONAL

/* X(key, name, argument, its flags, refused, why) */
#define FOREIGN(X)                                                                                 \
	X(1024, "threads", "SPEC", MAY, false, ONE_WRITER)                                         \
	X(1025, "aio", "N", MAY, false, ONE_READER)                                                \
	X(1026, "affinity", "HOW", 0, false, ONE_READER)                                           \
	X(1027, "mmap-flush", "SIZE", 0, false, ONE_READER)                                        \
	X(1028, "num-thread-synthesize", "N", 0, false, AT_ONCE)                                   \
	X(1029, "proc-map-timeout", "MS", 0, false, AT_ONCE)                                       \
	X(1030, "timestamp-boundary", NULL, 0, false,                                              \
		"the first and the last sample's time are always in the header")                   \
	X(1032, "debuginfod", "URLS", MAY, false, LATER)                                           \
	X(1039, "no-period", NULL, 0, false,                                                       \
		"what samples stand for is always recorded with a frequency")                      \
	X(1040, "no-timestamp", NULL, 0, false, "records are sorted by their times")               \
	X(1041, "no-sample-identifier", NULL, 0, false,                                            \
		"without it readers cannot distinguish events")                                    \
	X(1033, "off-cpu", NULL, 0, true,                                                          \
		"waiting threads are not sampled: try -e sched:sched_switch -g")                   \
	X(1034, "off-cpu-thresh", "MS", 0, true,                                                   \
		"waiting threads are not sampled: try -e sched:sched_switch -g")                   \
	X('S', "snapshot", "OPTIONS", MAY, true, NO_AUX)                                           \
	X(1035, "aux-sample", "OPTIONS", MAY, true, NO_AUX)                                        \
	X(1036, "kcore", NULL, 0, true,                                                            \
		"a recording is one file, not a directory with a copy of /proc/kcore")             \
	X(1037, "setup-filter", "HOW", 0, true,                                                    \
		"filters are not pinned: they require CAP_BPF and CAP_PERFMON each time")          \
	X(1038, "switch-output-event", "EVENT", 0, true,                                           \
		"events cannot start a new file: a signal, a size or a time can")

static const struct foreign {
	const char *name;
	const char *why;
	int key;
	bool refused;
} TABLE[] = {
#define ROW(key, name, arg, flags, refused, why) {name, why, key, refused},
	FOREIGN(ROW)
#undef ROW
};

/* Hidden: only users of perf need them. */
static const struct argp_option OPTIONS[] = {
#define ROW(key, name, arg, flags, refused, why) {name, key, arg, (flags) | OPTION_HIDDEN, NULL, 0},
	FOREIGN(ROW)
#undef ROW
		{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct record_command *command = state->input;
	const struct foreign *foreign = NULL;

	(void)arg;
	for (size_t i = 0; i < sizeof(TABLE) / sizeof(TABLE[0]); i++)
		if (TABLE[i].key == key)
			foreign = &TABLE[i];
	if (!foreign)
		return ARGP_ERR_UNKNOWN;
	if (foreign->refused)
		argp_error(state, "--%s of perf is not supported, because %s", foreign->name,
			foreign->why);
	else if (command->n_foreign < RECORD_FOREIGN_MAX)
		snprintf(command->foreign[command->n_foreign++], sizeof(command->foreign[0]),
			"--%s has no effect: %s", foreign->name, foreign->why);
	return 0;
}

const struct argp RECORD_FOREIGN = {
	.options = OPTIONS,
	.parser = parse,
};
