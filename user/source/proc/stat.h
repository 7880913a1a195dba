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
 * namespaces, and map_files is empty. Other threads may still run. /proc/TID of such a thread has
 * the same files and still shows them, although /proc does not list it. Returns the TID of such a
 * thread. If there is none, returns @pid.
 */
pid_t proc_stat__living_thread(pid_t pid);

#endif
