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
	struct recorder_options recorder; /* points into the rest, and into argv */
	struct record_config config;
	char *events;
	struct evlist_filter *filters;
	pid_t *pids;
	pid_t *tids;
	uint32_t *spans_ms; /* times of -D */
	const char *user;   /* of -u; its processes are not known yet */
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
	int realtime; /* priority of SCHED_FIFO; 0: unchanged */
	/* Sentences on options of perf's that change nothing here. */
	char foreign[RECORD_FOREIGN_MAX][128];
	size_t n_foreign;
};

#endif
