/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a process maps a file at this moment. For who is about to report that it
 * does, and heard of it a while ago: the process may have ended since.
 */
#ifndef PERFSTAMP_SOURCE_PROC_MAPPED_H
#define PERFSTAMP_SOURCE_PROC_MAPPED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "perfstamp/record.h"

struct mapped_file {
	pid_t pid;
	uint64_t addr;
	uint64_t len;     /* bytes */
	const char *path; /* that leads to other content now, or to none */
	/* Its device and inode must match, if known; NULL: any file that it runs. */
	const struct perfstamp_identity *identity;
};

/*
 * Returns false only where that is certain: the process has ended, whether or not its
 * parent has waited for it, or it has the old file mapped no longer. A process that has
 * the number after it is asked in the same way. True where /proc may not be read.
 */
bool mapped_file__is(const struct mapped_file *file);

#endif
