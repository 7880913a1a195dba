/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes and threads as a tree, as `perf report --tasks' and --mmaps show them. */
#ifndef PERFSTAMP_VIEW_REPORT_TASKS_H
#define PERFSTAMP_VIEW_REPORT_TASKS_H

#include <stdbool.h>
#include <stdio.h>

#include "user/model/profile/tasks.h"

/* With @maps each process has its mappings below it. Returns 0 or -ENOMEM. */
int tasks_view__write(FILE *out, const struct tasks *tasks, bool maps);

#endif
