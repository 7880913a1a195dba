/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording that is a directory: of `perf record --threads', with the header and some
 * records in the file data, and the records of each thread in data.0, data.1 and so on; or
 * of `perf record --kcore', with data alone. Finds and opens the files; does not know their
 * content. The directory is untrusted: only regular files of these names are opened, never
 * what a symbolic link leads to.
 *
 * Format: tools/perf/util/data.c of Linux, perf_data__create_dir(), and
 * perf_data__open_dir(), which takes any regular file data.* for one of a thread.
 */
#ifndef PERFSTAMP_PERFDATA_READ_DIRECTORY_H
#define PERFSTAMP_PERFDATA_READ_DIRECTORY_H

#include <stddef.h>

#include "user/base/error.h"
#include "user/perfdata/read/walk.h"

#define PERFDATA_DIRECTORY_VERSION 1 /* of the feature DIR_FORMAT */

struct perfdata_directory {
	struct walk *files; /* the first is data, the others in the order of their numbers */
	size_t n;
	char *missing; /* a missing file, if a later one exists; or NULL */
};

/*
 * Opens the files of directory @fd, which stays the caller's. @name is for error texts.
 * Returns 0; -EISDIR if it has no file data; -EBADMSG if it has something that perf would
 * take for a part of the recording and that is none; -ENOMEM, or the error of open. Free it
 * in any case.
 */
int perfdata_directory__open(
	struct perfdata_directory *ret, int fd, const char *name, struct error *err);
void perfdata_directory__free(struct perfdata_directory *directory);

#endif
