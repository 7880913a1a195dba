/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that existed when recording began, and which of them still exist at its end, when
 * --tail-synthesize records them. Processes started later were observed live, and a pid may belong
 * to another process by then. Writes nothing.
 */
#ifndef PERFSTAMP_RECORD_TAIL_H
#define PERFSTAMP_RECORD_TAIL_H

#include <stddef.h>
#include <sys/types.h>

#include "user/base/error.h"

struct tail;

/* Stores the @n processes of @pids, or all existing ones if @n is 0. Returns 0 or -errno. */
int tail__new(struct tail **ret, const pid_t *pids, size_t n, struct error *err);
void tail__free(struct tail *tail);

/* Removes processes that have ended, and returns the others, which the tail owns. */
const pid_t *tail__living(struct tail *tail, size_t *ret_n);

#endif
