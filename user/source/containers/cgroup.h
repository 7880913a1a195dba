/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the path of a cgroup (v2) from its id. The id is the inode number of its directory in
 * cgroup2, and also a file handle for it: no walk over the tree is needed. Keeps no state.
 */
#ifndef PERFSTAMP_SOURCE_CGROUP_H
#define PERFSTAMP_SOURCE_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "user/base/error.h"

struct cgroup_paths;

/*
 * Writes the path at which cgroup2 is mounted (/sys/fs/cgroup, /sys/fs/cgroup/unified, or
 * elsewhere) to @ret of @size bytes; for "/", writes "". Of several mounts, uses the first one of
 * the whole hierarchy of the cgroup namespace. Returns false if cgroup2 is not mounted.
 */
bool cgroup_mount__find(char *ret, size_t size);

/* Opens the mount of cgroup_mount__find(). Returns 0, -ENOENT if there is none, or -errno. */
int cgroup_paths__new(struct cgroup_paths **ret, struct error *err);
void cgroup_paths__free(struct cgroup_paths *paths);

/*
 * Writes the path of cgroup @id, relative to the mount and beginning with a slash ("/" for
 * the root), to @ret of @size bytes. Returns 0; -ENOENT if it was removed or is outside of
 * the mount; -EPERM without CAP_DAC_READ_SEARCH; -ENAMETOOLONG.
 */
int cgroup_paths__find(const struct cgroup_paths *paths, uint64_t id, char *ret, size_t size);

/* The reverse: *@ret is the id of the cgroup at @path. Returns 0, -ENOENT or another -errno. */
int cgroup_paths__id(const struct cgroup_paths *paths, const char *path, uint64_t *ret);

/* Whether the mount has all cgroups of the machine, not only those below a container's. */
bool cgroup_paths__are_all(const struct cgroup_paths *paths);

/*
 * Whether the cgroup at @path belongs to a user other than root, who can then make cgroups below
 * it.
 */
bool cgroup_paths__is_delegated(const struct cgroup_paths *paths, const char *path);

/*
 * Calls @fn for each cgroup below the mount, the root first, with its path as above. A
 * nonzero result of @fn ends the loop and is returned; otherwise returns 0 or -errno.
 */
int cgroup_paths__walk(const struct cgroup_paths *paths,
	int (*fn)(void *ctx, uint64_t id, const char *path), void *ctx);

#endif
