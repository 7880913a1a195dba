/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of export. */
#ifndef PERFSTAMP_CLI_EXPORT_OPTIONS_H
#define PERFSTAMP_CLI_EXPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "perfstamp/record.h"
#include "user/cli/profile/options.h"
#include "user/view/export/profile.h"

struct export_format {
	int (*write)(FILE *out, struct export_profile *profile);
	const char *output; /* the default name of the output */
	bool names;         /* default of --symbols: true if no server resolves addresses later */
	bool text;          /* the output may be written to a terminal */
	bool times;         /* each sample has its time */
	bool one_event;
};

struct export_command {
	const char *path;
	const char *output;
	const struct export_format *format;
	bool names;
	struct name_list comms;
	struct number_list pids;
	const char *event;
	const char *container;                    /* a shell pattern */
	uint8_t build_id[PERFSTAMP_BUILD_ID_MAX]; /* its first bytes */
	int build_id_size;
	struct time_spans times;
	struct symbol_conf symbol_conf;
	bool no_inline;
};

/* Exits if the options are invalid. */
void export_options__parse(struct export_command *ret, int argc, char **argv);
void export_options__free(struct export_command *command);

#endif
