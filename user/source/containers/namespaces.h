/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The namespaces that threads are in, from /proc/PID/task/TID/ns. Knows no file
 * format.
 */
#ifndef PERFSTAMP_SOURCE_NAMESPACES_H
#define PERFSTAMP_SOURCE_NAMESPACES_H

#include <stddef.h>
#include <sys/types.h>

#include "user/base/error.h"
#include "user/event/event.h"

/*
 * A NAMESPACES event of time 0 for each thread of @pids, or of all processes
 * where @n_pids is 0. A thread that is gone, or another user's, is left out.
 * Another value of @fn than 0 ends it and is returned; else 0, or -errno where
 * /proc cannot be read.
 */
int namespaces__synthesize(const pid_t *pids, size_t n_pids,
	int (*fn)(void *ctx, const struct event *event), void *ctx, struct error *err);

#endif
