/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line of record: perf record's options, with perf's names and
 * meanings, to what the recorder takes.
 */
#ifndef PERFSTAMP_CLI_RECORD_COMMAND_H
#define PERFSTAMP_CLI_RECORD_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "user/cli/record/config.h"
#include "user/cli/record/service.h"
#include "user/record/recorder.h"

#define RECORD_FOREIGN_MAX 16

struct record_command {
	struct recorder_options recorder; /* points into the rest, and into argv */
	struct record_config config;
	char *events;
	struct evlist_filter *filters;
	pid_t *pids;
	pid_t *tids;
	const char *user; /* of -u; its processes are not looked up yet */
	struct control_spec control;
	struct service_paths service;
	bool output_given;           /* -o */
	bool plain_switch_output;    /* --switch-output, without a value */
	bool given[RECORD_SETTINGS]; /* by an option */
	bool quiet;
	bool verbose;
	bool build_id_option; /* one of perf's options on build-ids, which change nothing here */
	bool latency;
	bool dry_run;
	int realtime; /* priority of SCHED_FIFO; 0: as it is */
	/* Sentences on options of perf's that change nothing here. */
	char foreign[RECORD_FOREIGN_MAX][128];
	size_t n_foreign;
};

/*
 * Ends the program with CLI_USAGE where the options are wrong. Returns 0, or
 * -EINVAL with text for configuration files.
 */
int record_command__parse(struct record_command *command, int argc, char **argv, struct error *err);
/* Puts the processes of -u where those of -p are. 0 or -errno. */
int record_command__find_user(struct record_command *command, struct error *err);
void record_command__free(struct record_command *command);

#endif
