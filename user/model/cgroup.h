/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cgroups in events. Each id has a small index, and the path and container from its CGROUP
 * event, if there is one.
 */
#ifndef PERFSTAMP_MODEL_CGROUP_H
#define PERFSTAMP_MODEL_CGROUP_H

#include <stddef.h>
#include <stdint.h>

struct cgroup;

struct cgroups {
	struct cgroup *by_id;
};

/* Sets *@ret to the index of cgroup @id, which is added if it is new. Returns 0 or -ENOMEM. */
int cgroups__index(struct cgroups *cgroups, uint64_t id, size_t *ret);
/* Replaces the path. Returns 0 or -ENOMEM. */
int cgroups__set_path(struct cgroups *cgroups, uint64_t id, const char *path);
const char *cgroups__path(const struct cgroups *cgroups, uint64_t id);
/*
 * Replaces the @size bytes that are recorded about its container; does nothing if @size is 0.
 * Returns 0 or -ENOMEM.
 */
int cgroups__set_about(struct cgroups *cgroups, uint64_t id, const char *about, size_t size);
const char *cgroups__about(const struct cgroups *cgroups, uint64_t id, size_t *ret_size);
void cgroups__free(struct cgroups *cgroups);

#endif
