/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of perf report that report does not have, and the alternatives. */
#ifndef PERFSTAMP_CLI_REPORT_FOREIGN_H
#define PERFSTAMP_CLI_REPORT_FOREIGN_H

#include <argp.h>

/* A child of report's argp: an error that explains, where one of these is given. */
extern const struct argp REPORT_FOREIGN;

#endif
