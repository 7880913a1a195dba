/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of perf record that perfstamp does not have. Some only tune perf: they have no effect
 * here, and a note says so. Others request what perfstamp does not do: they are refused, with the
 * reason. A child parser: its input is a struct record_command *.
 */
#ifndef PERFSTAMP_CLI_RECORD_FOREIGN_H
#define PERFSTAMP_CLI_RECORD_FOREIGN_H

#include <argp.h>

extern const struct argp RECORD_FOREIGN;

#endif
