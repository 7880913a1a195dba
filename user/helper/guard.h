/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a recorder gives up once it has begun, for good and with all its threads and later children:
 * system calls that it does not make, but that would help whoever takes it over. Unlike a helper
 * (sandbox.h) it goes on opening files, processes and events, so this denies a list of calls
 * and allows all others; and Landlock, which denies /proc/PID of others, cannot be used.
 */
#ifndef PERFSTAMP_HELPER_GUARD_H
#define PERFSTAMP_HELPER_GUARD_H

/*
 * Denies: to execute programs, to gain privileges, to trace other processes or be
 * traced, to make memory executable, to load BPF programs and modules, sockets other than UNIX's,
 * mounts and namespaces. No core is dumped from now on. 0; -ENOSYS where the kernel has no filters
 * of system calls; or another -errno.
 */
int guard__enter(void);

#endif
