/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a file is the program that a process is running. From the exec that starts a program
 * until the last process that runs it has ended or executed another one, the kernel refuses to open
 * the file for writing or to truncate it (deny_write_access, ETXTBSY). It also refuses the exec
 * while somebody has the file open for writing. So the content of such a file is what it was when
 * it was executed, however young the file's times are.
 *
 * Libraries have no such protection. What a process maps besides its program is not proven.
 */
#ifndef PERFSTAMP_SOURCE_RUNNING_H
#define PERFSTAMP_SOURCE_RUNNING_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Returns true only if it is proven that the regular file @fd was not written since process @pid
 * executed it. This needs three conditions. The process is running the file. The file system is one
 * of this machine that keeps to the rule. This kernel enforces the rule (Linux 6.11 and early 6.12
 * did not), which is tested with our own program, if possible. Does not notice if a process runs
 * the file for the second time, with another program in between.
 */
bool running__proves_unwritten(pid_t pid, int fd);
/*
 * Checks whether this kernel enforces the rule, by opening our own program for writing.
 * Must be called before forking a process that may not do this.
 */
void running__learn(void);

#endif
