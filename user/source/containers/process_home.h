/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In which cgroup and mount namespace a process is, asked in /proc: for records of
 * mappings that lack them, as those of the kernel itself. Knows nothing of records.
 */
#ifndef PERFSTAMP_SOURCE_PROCESS_HOME_H
#define PERFSTAMP_SOURCE_PROCESS_HOME_H

#include <stdint.h>
#include <sys/types.h>

struct cgroup_paths;

struct process_home {
	uint64_t cgroup_id; /* of the default hierarchy; 0: not known */
	uint32_t mnt_ns;    /* inode number; 0: not known */
};

/* All zero but .cgroups. The last answer is kept: a process maps several files at a time. */
struct process_homes {
	const struct cgroup_paths *cgroups; /* NULL where cgroup2 is not mounted */
	pid_t pid;
	uint64_t asked_ns; /* monotonic */
	struct process_home home;
};

/* Where @pid is now. All is 0 where it is not there any more. */
struct process_home process_homes__find(struct process_homes *homes, pid_t pid);

#endif
