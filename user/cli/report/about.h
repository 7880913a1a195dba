/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints the header of a recording, its records by type, and its processes and mappings. A part of
 * report.
 */
#ifndef PERFSTAMP_CLI_REPORT_ABOUT_H
#define PERFSTAMP_CLI_REPORT_ABOUT_H

#include "user/base/error.h"
#include "user/cli/report/command.h"

/* Prints the header to standard output. Returns 0, or -errno with text. */
int report_about__header(const char *path, bool all, struct error *err);
/* Prints what .about of @command requests to standard output. Returns the exit status. */
int report_about__write(const struct report_command *command);

#endif
