/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of perfstamp timeline. */
#ifndef PERFSTAMP_CLI_TIMELINE_OPTIONS_H
#define PERFSTAMP_CLI_TIMELINE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "user/cli/profile/options.h"

struct timeline_command {
	const char **paths; /* paths of the recordings, as given; never empty */
	size_t n_paths;
	const char *output;
	unsigned int comparisons;
	bool no_functions;
	struct symbol_conf symbol_conf;
};

/* Exits if the options are invalid. */
void timeline_options__parse(struct timeline_command *ret, int argc, char **argv);
void timeline_options__free(struct timeline_command *command);

#endif
