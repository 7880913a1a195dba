/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf's parser takes "no-" before the long name of every switch, and leaves it out of one that
 * begins so: each undoes what stands before it on the command line. A child parser: its input is
 * a struct record_command *.
 */
#ifndef PERFSTAMP_CLI_RECORD_NEGATED_H
#define PERFSTAMP_CLI_RECORD_NEGATED_H

#include <argp.h>

extern const struct argp RECORD_NEGATED;

#endif
