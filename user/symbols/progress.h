/* SPDX-License-Identifier: GPL-2.0-only */
/* How the child that asks a debuginfod reports to its parent how far a download is. */
#ifndef PERFSTAMP_STORE_PROGRESS_H
#define PERFSTAMP_STORE_PROGRESS_H

#include <stdbool.h>

#include "user/helper/confined.h"
#include "user/symbols/query.h"

#define PROGRESS 'P' /* first byte of the message, among the child's answers */

/* In the child: a debuginfod_progress_fn; @out is the stream of its answers. */
void progress__report(void *out, const char *what, long done, long total);
/*
 * In the parent, after PROGRESS: reads the rest of the message and calls the options' .progress.
 * False if the message is malformed or cut off.
 */
bool progress__take(struct confined *answers, const struct symbols_options *options);

#endif
