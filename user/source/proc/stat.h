/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /proc/PID/stat of a process or a thread, read and parsed. It can vanish at every
 * moment, so that errors are without text.
 */
#ifndef PERFSTAMP_SOURCE_PROC_STAT_H
#define PERFSTAMP_SOURCE_PROC_STAT_H

#include <sys/types.h>

#include "user/parse/stat.h"

/*
 * Of thread @tid of process @pid, or of the process where @tid is 0. 0 or -errno;
 * -ENOENT or -ESRCH: it is gone; -EBADMSG: it cannot be understood.
 */
int proc_stat__read(struct task_stat *ret, pid_t pid, pid_t tid);

#endif
