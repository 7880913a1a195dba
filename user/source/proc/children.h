/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that descend from others, by the parents that /proc shows. A
 * child whose parent has exited is another's by then, and is not found.
 */
#ifndef PERFSTAMP_SOURCE_PROC_CHILDREN_H
#define PERFSTAMP_SOURCE_PROC_CHILDREN_H

#include <stdbool.h>
#include <sys/types.h>

#include "user/base/error.h"

/*
 * Calls @add for each process whose parent is one (@is_one) or was added here,
 * and which is none itself. Another value of @add than 0 ends all and is
 * returned. Else returns 0, -ENOMEM, or -errno where /proc cannot be read.
 */
int proc_children__add(bool (*is_one)(void *ctx, pid_t pid), int (*add)(void *ctx, pid_t pid),
	void *ctx, struct error *err);

#endif
