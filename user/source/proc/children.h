/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds descendants of processes, by the parents in /proc. A child whose parent has exited
 * has another parent, and is not found.
 */
#ifndef PERFSTAMP_SOURCE_PROC_CHILDREN_H
#define PERFSTAMP_SOURCE_PROC_CHILDREN_H

#include <stdbool.h>
#include <sys/types.h>

#include "user/base/error.h"

/*
 * Calls @add for each process whose parent satisfies @is_one or was added here, and which
 * does not satisfy @is_one itself. A nonzero result of @add ends the search and is
 * returned. Otherwise returns 0, -ENOMEM, or -errno if /proc cannot be read.
 */
int proc_children__add(bool (*is_one)(void *ctx, pid_t pid), int (*add)(void *ctx, pid_t pid),
	void *ctx, struct error *err);

#endif
