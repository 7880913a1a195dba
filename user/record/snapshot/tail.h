/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that existed when recording began, and which of them still do at its
 * end, when --tail-synthesize records them: those that began since were seen live, and
 * a number may be another process's by then. Writes nothing.
 */
#ifndef PERFSTAMP_RECORD_TAIL_H
#define PERFSTAMP_RECORD_TAIL_H

#include <stddef.h>
#include <sys/types.h>

#include "user/base/error.h"

struct tail;

/* Remembers the @n processes of @pids, or, where @n is 0, all that exist. Returns 0 or -errno. */
int tail__new(struct tail **ret, const pid_t *pids, size_t n, struct error *err);
void tail__free(struct tail *tail);

/* Leaves those that still exist, and returns them: they are the tail's. */
const pid_t *tail__living(struct tail *tail, size_t *ret_n);

#endif
