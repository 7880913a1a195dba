/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options of perf record that are not perfstamp's: those that only change how perf works
 * have no effect here, as a note says; those that ask for something that perfstamp does not
 * do are refused, with the reason. A child parser: its input is a struct record_command *.
 */
#ifndef PERFSTAMP_CLI_RECORD_FOREIGN_H
#define PERFSTAMP_CLI_RECORD_FOREIGN_H

#include <argp.h>

extern const struct argp RECORD_FOREIGN;

#endif
