/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording that is a directory. `perf record --threads' writes the header and some records to
 * the file data, and the records of each thread to data.0, data.1 and so on; `perf record --kcore'
 * writes only data. Finds and opens the files; does not know their content. The directory is
 * untrusted: only regular files with these names are opened, and symbolic links are not followed.
 *
 * Format: tools/perf/util/data.c of Linux, perf_data__create_dir(), and perf_data__open_dir(),
 * which uses any regular file data.* as that of a thread.
 */
#ifndef PERFSTAMP_PERFDATA_READ_DIRECTORY_H
#define PERFSTAMP_PERFDATA_READ_DIRECTORY_H

#include <stddef.h>

#include "user/base/error.h"
#include "user/perfdata/read/walk.h"

#define PERFDATA_DIRECTORY_VERSION 1 /* version in the feature DIR_FORMAT */

struct perfdata_directory {
	struct walk *files; /* the first is data; the others are in the order of their numbers */
	size_t n;
	char *missing; /* a missing file, if a later one exists; or NULL */
};

/*
 * Opens the files of directory @fd, which the caller keeps. @name is for error texts. Returns 0;
 * -EISDIR if there is no file data; -EBADMSG if there is a file that perf would use as a part of
 * the recording, but that cannot be one; -ENOMEM, or the error of open. Free @ret in any case.
 */
int perfdata_directory__open(
	struct perfdata_directory *ret, int fd, const char *name, struct error *err);
void perfdata_directory__free(struct perfdata_directory *directory);

#endif
