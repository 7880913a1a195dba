/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replaces a recording of perf that is a directory. Removes only files that perf has made. perf
 * itself would remove any file data.*: see rm_rf_perf_data() in tools/perf/util/util.c of Linux.
 */
#ifndef PERFSTAMP_RECORD_FILES_OLD_DIRECTORY_H
#define PERFSTAMP_RECORD_FILES_OLD_DIRECTORY_H

#include <stdbool.h>

#include "user/base/error.h"

/* Whether @path is a directory with a file data. */
bool old_directory__is_recording(const char *path);

/*
 * Removes the directory @path with the recording in it. Returns 0, also if it does not exist;
 * -ENOTEMPTY with text if it contains anything else, and then removes nothing; or the error of
 * unlink with text.
 */
int old_directory__remove(const char *path, struct error *err);

#endif
