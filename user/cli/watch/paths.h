/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds replaced files before any process maps the new ones, for watch: waits for changes
 * in directories, checks the paths in the mount namespaces of processes, and updates the
 * model of replaced files.
 */
#ifndef PERFSTAMP_CLI_WATCH_PATHS_H
#define PERFSTAMP_CLI_WATCH_PATHS_H

#include "user/base/error.h"
#include "user/model/replaced/observer.h"

struct watch_paths;

/* @observer must outlive it. Returns 0 or -errno. */
int watch_paths__new(struct watch_paths **ret, struct observer *observer, struct error *err);
void watch_paths__free(struct watch_paths *paths);

/* To poll. */
int watch_paths__fd(const struct watch_paths *paths);
/* The path of @event, if it maps a file, is watched from now on. Returns 0 or -ENOMEM. */
int watch_paths__add(struct watch_paths *paths, const struct event *event);
/* Tells @observer of what has been replaced since the last call. Returns 0 or -errno. */
int watch_paths__look(struct watch_paths *paths);
/* How many paths are not watched: the next map of one will show its change. */
size_t watch_paths__n_unwatched(const struct watch_paths *paths);

#endif
