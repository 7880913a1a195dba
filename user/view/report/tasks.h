/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes and threads as a tree, as in `perf report --tasks' and --mmaps. */
#ifndef PERFSTAMP_VIEW_REPORT_TASKS_H
#define PERFSTAMP_VIEW_REPORT_TASKS_H

#include <stdbool.h>
#include <stdio.h>

#include "user/model/profile/tasks.h"

/* With @maps, the mappings of each process are written below it. Returns 0 or -ENOMEM. */
int tasks_view__write(FILE *out, const struct tasks *tasks, bool maps);

#endif
