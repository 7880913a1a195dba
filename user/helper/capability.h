/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The capabilities that a process keeps, by what it still has to do.
 */
#ifndef PERFSTAMP_HELPER_CAPABILITY_H
#define PERFSTAMP_HELPER_CAPABILITY_H

#include "user/base/error.h"

enum capability_need {
	CAPABILITY_PROCESSES = 1 << 0, /* read other users' processes, and what they map */
	CAPABILITY_KERNEL = 1 << 1,    /* run BPF programs that are there, read addresses */
	CAPABILITY_PROGRAMS = 1 << 2,  /* read BPF programs of others: CAP_SYS_ADMIN */
	CAPABILITY_KILL = 1 << 3,      /* end a workload that has become another user */
	CAPABILITY_FILES = 1 << 4,     /* write where our user alone may not */
	CAPABILITY_PRIORITY = 1 << 5,  /* raise the priority of what was started with a lower one */
	CAPABILITY_READ = 1 << 6,      /* read any file, and addresses of the kernel's symbols */
};

/*
 * Drops for good all capabilities except those that @needs, of enum capability_need,
 * take. Does not begin to have one. 0 or -errno.
 */
int capability__keep(unsigned int needs, struct error *err);

#endif
