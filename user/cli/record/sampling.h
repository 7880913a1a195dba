/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of record about samples: their fields, which samples are taken, and other records of
 * the rings. A child parser: its input is a struct record_command *. Names and meanings are perf's
 * (tools/perf/Documentation/perf-record.txt).
 */
#ifndef PERFSTAMP_CLI_RECORD_SAMPLING_H
#define PERFSTAMP_CLI_RECORD_SAMPLING_H

#include <argp.h>

extern const struct argp RECORD_SAMPLING;

#endif
