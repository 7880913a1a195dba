/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of record about output files: how many are written and kept, and when recording ends.
 * A child parser: its input is a struct record_command *. Words and units are perf's
 * (tools/perf/Documentation/perf-record.txt).
 */
#ifndef PERFSTAMP_CLI_RECORD_FILES_H
#define PERFSTAMP_CLI_RECORD_FILES_H

#include <argp.h>

struct record_command;

extern const struct argp RECORD_FILES;

/*
 * Chooses the output if there is no -o. As in perf, it is standard output if that is a pipe, unless
 * a series of files is written or the file's name contains the time. Call it after all options.
 */
void record_files__choose_output(struct record_command *command);

#endif
