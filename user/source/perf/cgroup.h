/* SPDX-License-Identifier: GPL-2.0-only */
/* Opens cgroups by the names in -G and --filter. Keeps no state. */
#ifndef PERFSTAMP_SOURCE_PERF_CGROUP_H
#define PERFSTAMP_SOURCE_PERF_CGROUP_H

#include <stdint.h>

#include "user/base/error.h"

/*
 * Opens the directory of cgroup @name for PERF_FLAG_PID_CGROUP: in the hierarchy of the
 * perf_event controller where there is one (cgroup v1), else in cgroup2. Returns a file
 * descriptor; -ENOENT if there is no such cgroup, or no hierarchy, and other -errno, with
 * text.
 */
int perf_cgroup__open(const char *name, struct error *err);
/* Stores the id of cgroup @path in cgroup2, as in samples. Returns 0, or -errno with text. */
int perf_cgroup__id(uint64_t *ret, const char *path, struct error *err);

#endif
