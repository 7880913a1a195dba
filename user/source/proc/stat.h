/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads and parses /proc/PID/stat of a process or a thread. It can disappear at any moment,
 * so errors have no text.
 */
#ifndef PERFSTAMP_SOURCE_PROC_STAT_H
#define PERFSTAMP_SOURCE_PROC_STAT_H

#include <sys/types.h>

#include "user/parse/stat.h"

/*
 * Reads it for thread @tid of process @pid, or for the process if @tid is 0. Returns 0 or
 * -errno; -ENOENT or -ESRCH: it has ended; -EBADMSG: it cannot be parsed.
 */
int proc_stat__read(struct task_stat *ret, pid_t pid, pid_t tid);

#endif
