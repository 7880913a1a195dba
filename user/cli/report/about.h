/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints the other data of a recording in report: the header, records by type, processes
 * and mappings. A part of report.
 */
#ifndef PERFSTAMP_CLI_REPORT_ABOUT_H
#define PERFSTAMP_CLI_REPORT_ABOUT_H

#include "user/base/error.h"
#include "user/cli/report/command.h"

/* The header to standard output. Returns 0, or -errno with text. */
int report_about__header(const char *path, bool all, struct error *err);
/* What .about of @command asks for, to standard output. Returns the exit status. */
int report_about__write(const struct report_command *command);

#endif
