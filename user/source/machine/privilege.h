/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this process may do, by its effective capabilities: root may lack them, and
 * others may have them. Within a user namespace they can be there and not suffice.
 */
#ifndef PERFSTAMP_SOURCE_PRIVILEGE_H
#define PERFSTAMP_SOURCE_PRIVILEGE_H

#include <stdbool.h>

#include "user/base/error.h"

/* CAP_PERFMON, or CAP_SYS_ADMIN, which it was part of. */
bool privilege__perfmon(void);
/* The same for tracing by BPF, which takes CAP_BPF and CAP_PERFMON. */
bool privilege__tracing_bpf(void);
/* Whether the kernel keeps its memory from everyone, BPF too: lockdown=confidentiality. */
bool privilege__is_confidential(void);

/* What is still to be done when all is attached. */
enum privilege_need {
	PRIVILEGE_PROCESSES = 1 << 0, /* read of other users' processes, and what they map */
	PRIVILEGE_KERNEL = 1 << 1,    /* run BPF programs that are there, read addresses */
	PRIVILEGE_PROGRAMS = 1 << 2,  /* read BPF programs of others: CAP_SYS_ADMIN */
	PRIVILEGE_KILL = 1 << 3,      /* end a workload that has become another user */
	PRIVILEGE_FILES = 1 << 4,     /* write where our user alone may not */
	PRIVILEGE_PRIORITY = 1 << 5,  /* raise the priority of what was started with a lower one */
};

/*
 * Gives up for good all capabilities but those that @needs, of enum privilege_need,
 * take. Does not begin to have one. 0 or -errno.
 */
int privilege__confine(unsigned int needs, struct error *err);
/* Whether files can be made in the directory of @path by CAP_DAC_OVERRIDE only. */
bool privilege__must_override(const char *path);

#endif
