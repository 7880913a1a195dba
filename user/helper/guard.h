/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Permanently denies system calls to a recorder that has started, and to its threads and
 * later children: calls that it does not make, but that would help an attacker who controls
 * it. Unlike a helper (sandbox.h), the recorder still opens files, processes and events, so
 * this denies a list of calls and allows all others. Landlock cannot be used, because it
 * denies /proc/PID of other processes.
 */
#ifndef PERFSTAMP_HELPER_GUARD_H
#define PERFSTAMP_HELPER_GUARD_H

/*
 * Denies executing programs, gaining privileges, tracing other processes or being traced,
 * making memory executable, loading BPF programs and modules, sockets other than unix
 * sockets, mounts and namespaces. Disables core dumps. Returns 0, -ENOSYS if the kernel has
 * no seccomp filters, or another -errno.
 */
int guard__enter(void);

#endif
