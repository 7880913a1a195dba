/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of perf report that report does not have, with alternatives. */
#ifndef PERFSTAMP_CLI_REPORT_FOREIGN_H
#define PERFSTAMP_CLI_REPORT_FOREIGN_H

#include <argp.h>

/* A child parser for report: each of these options causes an error that names the alternative. */
extern const struct argp REPORT_FOREIGN;

#endif
