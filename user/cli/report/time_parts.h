/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of a recording's time (times.h), which its first and last sample bound. */
#ifndef PERFSTAMP_CLI_REPORT_TIME_PARTS_H
#define PERFSTAMP_CLI_REPORT_TIME_PARTS_H

#include "user/base/error.h"
#include "user/cli/report/times.h"

/* Reads @path where @times are parts, and makes them times. 0, or -errno with text. */
int report_time_parts__place(struct time_spans *times, const char *path, struct error *err);

#endif
