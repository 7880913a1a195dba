/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of record on how many files it writes, which of them are kept, and when
 * enough is written. A child parser: its input is a struct record_command *. Words and
 * units are perf's (tools/perf/Documentation/perf-record.txt).
 */
#ifndef PERFSTAMP_CLI_RECORD_FILES_H
#define PERFSTAMP_CLI_RECORD_FILES_H

#include <argp.h>

extern const struct argp RECORD_FILES;

#endif
