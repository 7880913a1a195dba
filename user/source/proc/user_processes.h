/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes of a user, from /proc.
 */
#ifndef PERFSTAMP_SOURCE_USER_PROCESSES_H
#define PERFSTAMP_SOURCE_USER_PROCESSES_H

#include <sys/types.h>

#include "user/base/error.h"

/* The children that existed before we started a process. */
struct user_processes_before {
	const pid_t *pids;
	size_t n;
};

/*
 * Finds the processes whose real user is @user, a name or a number. Omits this process. With
 * @before, also omits children of this process that are not in @before. The caller frees *@ret.
 * Returns their number, -EINVAL for an unknown user, -ESRCH if no process runs, -ENOMEM, or an
 * error of reading /proc.
 */
ssize_t user_processes__find(pid_t **ret, const char *user,
	const struct user_processes_before *before, struct error *err);

#endif
