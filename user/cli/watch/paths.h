/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds replaced files before any process maps the new ones, for watch. Waits for changes in
 * directories, checks the paths in the mount namespaces of processes, and updates the model of
 * replaced files.
 */
#ifndef PERFSTAMP_CLI_WATCH_PATHS_H
#define PERFSTAMP_CLI_WATCH_PATHS_H

#include "user/base/error.h"
#include "user/model/replaced/observer.h"

struct watch_paths;

/* @observer has to outlive *@ret. Returns 0 or -errno. */
int watch_paths__new(struct watch_paths **ret, struct observer *observer, struct error *err);
void watch_paths__free(struct watch_paths *paths);

/* Returns the descriptor to poll. */
int watch_paths__fd(const struct watch_paths *paths);
/* If @event maps a file, watches its path from now on. Returns 0 or -ENOMEM. */
int watch_paths__add(struct watch_paths *paths, const struct event *event);
/* Reports to @observer what was replaced since the last call. Returns 0 or -errno. */
int watch_paths__look(struct watch_paths *paths);
/* Returns the number of paths that are not watched: their changes are found at the next map. */
size_t watch_paths__n_unwatched(const struct watch_paths *paths);

#endif
