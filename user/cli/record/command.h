/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line of record. Converts the options of perf record, with perf's names and meanings,
 * to options of the recorder.
 */
#ifndef PERFSTAMP_CLI_RECORD_COMMAND_H
#define PERFSTAMP_CLI_RECORD_COMMAND_H

#include "user/base/error.h"
#include "user/cli/record/request.h"

/*
 * Exits with CLI_USAGE if the options are invalid. Returns 0, or -EINVAL with text for
 * configuration files.
 */
int record_command__parse(struct record_command *command, int argc, char **argv, struct error *err);
/* Adds the processes of -u to those of -p. Returns 0 or -errno. */
int record_command__find_user(struct record_command *command, struct error *err);
void record_command__free(struct record_command *command);

#endif
