/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line of watch.
 */
#ifndef PERFSTAMP_CLI_WATCH_COMMAND_H
#define PERFSTAMP_CLI_WATCH_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/cli/record/service.h"
#include "user/record/recorder.h"
#include "user/view/watch.h"

#define WATCH_RATE_DEFAULT 100 /* lines a second */
#define WATCH_DIFF_AFTER_DEFAULT_NS 120000000000ull

struct watch_command {
	struct recorder_options recorder; /* points into other fields, and into argv */
	struct watch_filter filter;
	pid_t *pids;
	uint64_t rate; /* lines a second; 0: no limit */
	struct service_paths service;
	const char *diff; /* a recording to compare replaced builds in; NULL: none */
	uint64_t diff_after_ns;
	bool json;
	bool journal;
	bool quiet;
	bool verbose;
};

/* Exits with CLI_USAGE if the options are invalid. */
void watch_command__parse(struct watch_command *command, int argc, char **argv);
void watch_command__free(struct watch_command *command);

#endif
