/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of record on how many files it writes, which of them are kept, and when
 * enough is written. A child parser: its input is a struct record_command *. Words and
 * units are perf's (tools/perf/Documentation/perf-record.txt).
 */
#ifndef PERFSTAMP_CLI_RECORD_FILES_H
#define PERFSTAMP_CLI_RECORD_FILES_H

#include <argp.h>

struct record_command;

extern const struct argp RECORD_FILES;

/*
 * Without -o the output is standard output if that is a pipe, as in perf, unless a series
 * of files is written or the file's name has the time. To be called after all options.
 */
void record_files__choose_output(struct record_command *command);

#endif
