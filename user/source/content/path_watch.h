/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports when the file at a path may have been replaced, by inotify on the directories of
 * the paths, each in the mount namespace of a process. Does not read files, and does not
 * know what was there before.
 */
#ifndef PERFSTAMP_SOURCE_PATH_WATCH_H
#define PERFSTAMP_SOURCE_PATH_WATCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/base/error.h"

struct path_watch;

/* The limit of watched paths, and of watched directories. */
#define PATH_WATCH_PATHS_MAX 65536
#define PATH_WATCH_DIRECTORIES_MAX 4096

/* Returns 0 or -errno. */
int path_watch__new(struct path_watch **ret, struct error *err);
void path_watch__free(struct path_watch *watch);

/*
 * Watches @path in mount namespace @mnt_ns, which process @pid is in. To be called at each mapping:
 * if the path is watched, and another inode (@ino, if it is not 0) is mapped there than the last
 * time, checks that its directory is still the watched one. Returns 0; -ESRCH if @pid or the
 * directory has disappeared, so that the call may succeed with another process; -ENOSPC if there
 * are too many watches, by our limits or the user's (fs.inotify.max_user_watches); -EOPNOTSUPP for
 * a file system that another process or machine serves, which could block us; or another -errno. A
 * path that cannot be watched is counted once.
 *
 * The file may have been replaced before it was watched. So if @ino is not 0, and a newly watched
 * path leads to another inode, the next path_watch__changed reports the path.
 */
int path_watch__add(
	struct path_watch *watch, pid_t pid, uint32_t mnt_ns, const char *path, uint64_t ino);
/* Paths that could not be watched, for other reasons than -ESRCH. */
size_t path_watch__n_unwatched(const struct path_watch *watch);

/* A descriptor to poll. */
int path_watch__fd(const struct path_watch *watch);

/* A nonzero result ends the call in progress, which returns it. */
typedef int path_changed_fn(void *ctx, uint32_t mnt_ns, const char *path);
/*
 * Calls @fn for each path that may have changed since the last call. Returns 0, -errno, or what @fn
 * returned.
 */
int path_watch__changed(struct path_watch *watch, path_changed_fn *fn, void *ctx);

#endif
