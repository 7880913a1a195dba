/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf's parser accepts "no-" before the long name of every switch; for a switch whose name begins
 * with "no-", it accepts the name without it. Each undoes earlier options on the command line. A
 * child parser: its input is a struct record_command *.
 */
#ifndef PERFSTAMP_CLI_RECORD_NEGATED_H
#define PERFSTAMP_CLI_RECORD_NEGATED_H

#include <argp.h>

extern const struct argp RECORD_NEGATED;

#endif
