/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of record, from its command line and the configuration. */
#ifndef PERFSTAMP_CLI_RECORD_REQUEST_H
#define PERFSTAMP_CLI_RECORD_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/cli/record/config.h"
#include "user/cli/record/service.h"
#include "user/cli/record/settings.h"
#include "user/record/recorder.h"

#define RECORD_FOREIGN_MAX 16

struct record_command {
	struct recorder_options recorder; /* points into other fields, and into argv */
	struct record_config config;
	char *events;
	struct evlist_filter *filters;
	pid_t *pids;
	pid_t *tids;
	uint32_t *spans_ms; /* times of -D */
	const char *user;   /* argument of -u, whose processes are not known yet */
	struct control_spec control;
	struct service_paths service;
	bool output_given;           /* -o was given */
	bool plain_switch_output;    /* --switch-output was given without a value */
	bool given[RECORD_SETTINGS]; /* by setting: an option sets it */
	bool quiet;
	bool verbose;
	bool build_id_option; /* an option of perf about build-ids was given; it has no effect */
	bool latency;
	bool dry_run;
	int realtime; /* priority of SCHED_FIFO; 0: unchanged */
	/* Notes about options of perf that have no effect. */
	char foreign[RECORD_FOREIGN_MAX][128];
	size_t n_foreign;
};

#endif
