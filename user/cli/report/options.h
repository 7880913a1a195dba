/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of report. */
#ifndef PERFSTAMP_CLI_REPORT_OPTIONS_H
#define PERFSTAMP_CLI_REPORT_OPTIONS_H

#include <stdbool.h>

#include "user/cli/report/command.h"

/* Exits if the options are invalid. */
void report_options__parse(struct report_command *ret, int argc, char **argv);
void report_options__free(struct report_command *command);

#endif
