/* SPDX-License-Identifier: GPL-2.0-only */
/* Drops the capabilities that a process no longer needs. */
#ifndef PERFSTAMP_HELPER_CAPABILITY_H
#define PERFSTAMP_HELPER_CAPABILITY_H

#include "user/base/error.h"

enum capability_need {
	CAPABILITY_PROCESSES = 1 << 0, /* read other users' processes, and what they map */
	CAPABILITY_KERNEL = 1 << 1,    /* run loaded BPF programs, read addresses */
	CAPABILITY_PROGRAMS = 1 << 2,  /* read others' BPF programs: CAP_SYS_ADMIN */
	CAPABILITY_KILL = 1 << 3,      /* end a workload that changed its user */
	CAPABILITY_FILES = 1 << 4,     /* write in other users' directories */
	CAPABILITY_PRIORITY = 1 << 5,  /* raise the priority of a process again */
	CAPABILITY_READ = 1 << 6,      /* read any file, and addresses of the kernel's symbols */
};

/*
 * Permanently drops all capabilities except those for @needs (of enum capability_need).
 * Does not add any. Returns 0 or -errno.
 */
int capability__keep(unsigned int needs, struct error *err);

#endif
