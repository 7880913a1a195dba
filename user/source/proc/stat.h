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

/*
 * If the main thread of @pid has exited, its directory in /proc shows neither memory nor files nor
 * namespaces, and map_files is empty. While other threads run, theirs do: /proc/TID has the same
 * files, although it is not listed. Returns the number of such a thread, or otherwise @pid.
 */
pid_t proc_stat__living_thread(pid_t pid);

#endif
