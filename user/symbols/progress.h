/* SPDX-License-Identifier: GPL-2.0-only */
/* How the child that asks a debuginfod reports to its parent how far a download is. */
#ifndef PERFSTAMP_STORE_PROGRESS_H
#define PERFSTAMP_STORE_PROGRESS_H

#include <stdbool.h>

#include "user/helper/confined.h"
#include "user/symbols/query.h"

#define PROGRESS 'P' /* what the message begins with, among the child's answers */

/* In the child: a debuginfod_progress_fn; @out is the stream of its answers. */
void progress__report(void *out, const char *what, long done, long total);
/*
 * In the parent, after PROGRESS: takes the rest, and calls the options' .progress. False
 * where it is not as it has to be, or is cut off.
 */
bool progress__take(struct confined *answers, const struct symbols_options *options);

#endif
