/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the cgroup and mount namespace of a process from /proc, for map records without
 * them, such as the kernel's own. Does not know records.
 */
#ifndef PERFSTAMP_SOURCE_PROCESS_HOME_H
#define PERFSTAMP_SOURCE_PROCESS_HOME_H

#include <stdint.h>
#include <sys/types.h>

struct cgroup_paths;

struct process_home {
	uint64_t cgroup_id; /* in the default hierarchy; 0: not known */
	uint32_t mnt_ns;    /* inode number; 0: not known */
};

/*
 * All zero except .cgroups. The last result is cached, because a process maps several files
 * in a row.
 */
struct process_homes {
	const struct cgroup_paths *cgroups; /* NULL if cgroup2 is not mounted */
	pid_t pid;
	uint64_t asked_ns; /* monotonic */
	struct process_home home;
};

/* Reads both for process @pid. They are 0 if the process has ended. */
struct process_home process_homes__find(struct process_homes *homes, pid_t pid);

#endif
