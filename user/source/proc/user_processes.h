/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes of a user, from /proc.
 */
#ifndef PERFSTAMP_SOURCE_USER_PROCESSES_H
#define PERFSTAMP_SOURCE_USER_PROCESSES_H

#include <sys/types.h>

#include "user/base/error.h"

/* What was found when we had started no process yet. */
struct user_processes_before {
	const pid_t *pids;
	size_t n;
};

/*
 * The processes whose real user is @user, a name or a number, but our own, and, with @before, but
 * those of its children that were not there before; *@ret is the caller's to free. Returns how
 * many, or -EINVAL for an unknown user, -ESRCH where none runs, -ENOMEM, or what /proc gives.
 */
ssize_t user_processes__find(pid_t **ret, const char *user,
	const struct user_processes_before *before, struct error *err);

#endif
