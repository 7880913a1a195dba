/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Checks whether a process still maps a file, before reporting it: the process may have
 * ended since the mapping was observed.
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
	const char *path; /* path that now has other content, or no file */
	/* Its device and inode must match, if known; NULL: any file that it runs. */
	const struct perfstamp_identity *identity;
};

/*
 * Returns false only if it is certain that the process has ended (it may be a zombie) or no
 * longer maps the old file. If the pid was reused, the new process is checked in the same
 * way. Returns true if /proc may not be read.
 */
bool mapped_file__is(const struct mapped_file *file);

#endif
