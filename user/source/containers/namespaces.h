/* SPDX-License-Identifier: GPL-2.0-only */
/* The namespaces of threads, from /proc/PID/task/TID/ns. Does not know file formats. */
#ifndef PERFSTAMP_SOURCE_NAMESPACES_H
#define PERFSTAMP_SOURCE_NAMESPACES_H

#include <stddef.h>
#include <sys/types.h>

#include "user/base/error.h"
#include "user/event/event.h"

/*
 * Passes to @fn a NAMESPACES event with time 0 for each thread of @pids, or of all
 * processes if @n_pids is 0. Skips threads that have ended, or that may not be read. A
 * nonzero result of @fn ends the loop and is returned; otherwise returns 0, or -errno if
 * /proc cannot be read.
 */
int namespaces__synthesize(const pid_t *pids, size_t n_pids,
	int (*fn)(void *ctx, const struct event *event), void *ctx, struct error *err);

#endif
