/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a file is the program that a process is running. The kernel denies writes to,
 * or truncate, a file from the exec that starts it until the last process that runs it has
 * ended or executes another one (deny_write_access, ETXTBSY), and refuses the exec while
 * somebody has it open for writing. So the content of such a file is what it was when it was
 * executed, however young the file's times are.
 *
 * Libraries have no such protection. What a process maps besides its program is not proven.
 */
#ifndef PERFSTAMP_SOURCE_RUNNING_H
#define PERFSTAMP_SOURCE_RUNNING_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * True only where it is proven that the regular file @fd was not written since process
 * @pid executed it: the process runs it at this moment, it is on a file system of this machine
 * that keeps to the rule, and this kernel enforces the rule (Linux 6.11 and early 6.12 did
 * not), which is tried on our own program where that can be. Not seen: a process that runs the file
 * for the second time, with another program in between.
 */
bool running__proves_unwritten(pid_t pid, int fd);
/*
 * Checks whether this kernel enforces the rule, by opening our own program for writing.
 * Must be called before forking a process that may not do this.
 */
void running__learn(void);

#endif
