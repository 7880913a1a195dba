/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cgroups in events: a small index for each id, and path and container from its CGROUP
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

/* The index of cgroup @id, made when it is new. Returns 0 or -ENOMEM. */
int cgroups__index(struct cgroups *cgroups, uint64_t id, size_t *ret);
/* Takes the newest path. Returns 0 or -ENOMEM. */
int cgroups__set_path(struct cgroups *cgroups, uint64_t id, const char *path);
const char *cgroups__path(const struct cgroups *cgroups, uint64_t id);
/*
 * Sets what is recorded of its container, @size bytes, in the same way; with 0 bytes nothing
 * changes.
 */
int cgroups__set_about(struct cgroups *cgroups, uint64_t id, const char *about, size_t size);
const char *cgroups__about(const struct cgroups *cgroups, uint64_t id, size_t *ret_size);
void cgroups__free(struct cgroups *cgroups);

#endif
