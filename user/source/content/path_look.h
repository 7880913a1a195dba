/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens files by their paths as a process sees them: in its mount namespace, below its
 * root. Only regular files are opened, and symbolic links cannot lead out of that root.
 */
#ifndef PERFSTAMP_SOURCE_PATH_LOOK_H
#define PERFSTAMP_SOURCE_PATH_LOOK_H

#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * Opens the file at @path, a path that /proc/@pid/maps shows to us. Returns a descriptor for
 * reading; -ENOENT if there is no regular file at @path; -EXDEV if it is outside of what @pid and
 * we can reach; or another -errno.
 */
int path_look__open(pid_t pid, const char *path);
/* Does the same for a path that @pid itself would pass to open(2). */
int path_look__open_own(pid_t pid, const char *path);

/*
 * Returns the time at which the nearest existing directory above @path was changed (CLOCK_REALTIME
 * in ns), or 0 if it is not known. @path was removed at that time or before.
 */
uint64_t path_look__directory_ns(pid_t pid, const char *path);

#endif
