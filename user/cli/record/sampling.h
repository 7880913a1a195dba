/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of record on what samples carry, which of them are made, and what
 * else comes through the rings. A child parser: its input is a struct
 * record_command *. Names and meanings are perf's
 * (tools/perf/Documentation/perf-record.txt).
 */
#ifndef PERFSTAMP_CLI_RECORD_SAMPLING_H
#define PERFSTAMP_CLI_RECORD_SAMPLING_H

#include <argp.h>

extern const struct argp RECORD_SAMPLING;

#endif
