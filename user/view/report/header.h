/* SPDX-License-Identifier: GPL-2.0-only */
/* The header of a recording as comments above a report, as in `perf report --header'. */
#ifndef PERFSTAMP_VIEW_REPORT_HEADER_H
#define PERFSTAMP_VIEW_REPORT_HEADER_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

struct perfdata_reader;

/*
 * Writes the lines that perf names; with @all, also those of every other feature. @changed is the
 * time at which the file was last written; 0: not known. Errors of writing stick to @out.
 */
void header__write(FILE *out, const struct perfdata_reader *reader, time_t changed, bool all);

#endif
