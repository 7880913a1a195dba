/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens perf map files and jitdumps of a process, and nothing else: regular files of the
 * process's own user, as the process sees them, without following a symbolic link at the
 * file's name or out of the process's root, and without waiting. For code_reader.c.
 */
#ifndef PERFSTAMP_RECORD_CODE_FILE_H
#define PERFSTAMP_RECORD_CODE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct code_owner {
	uid_t uid;        /* effective, as we see it */
	pid_t own_pid;    /* pid of the process in its own pid namespace */
	bool other_clock; /* it is in another time namespace than we are */
};

/* Returns 0, or -errno: -ESRCH if the process has ended. */
int code_file__owner(pid_t pid, struct code_owner *ret);
/* The process's /tmp (O_PATH). A file descriptor, or -errno. */
int code_file__open_tmp(pid_t pid);
/*
 * The map file in @tmp. A file descriptor; -ENOENT; -EPERM if it is not to be read: it is
 * another user's, or no regular file; or another -errno.
 */
int code_file__open_map(int tmp, const struct code_owner *owner);
/* The jitdump that is mapped there. As code_file__open_map(). */
int code_file__open_dump(pid_t pid, uint64_t addr, uint64_t len, const struct code_owner *owner);

#endif
