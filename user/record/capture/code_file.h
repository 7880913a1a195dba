/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens perf map files and jitdumps of a process, and no other files: only regular files of the
 * process's own user, as the process sees them. Does not follow a symbolic link at the file's name
 * or out of the process's root, and does not wait. For code_reader.c.
 */
#ifndef PERFSTAMP_RECORD_CODE_FILE_H
#define PERFSTAMP_RECORD_CODE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct code_owner {
	uid_t uid;        /* effective user id, in our user namespace */
	pid_t own_pid;    /* pid of the process in its own pid namespace */
	bool other_clock; /* it is in another time namespace than the recorder */
};

/* Returns 0, or -errno: -ESRCH if the process has ended. */
int code_file__owner(pid_t pid, struct code_owner *ret);
/* Opens the process's /tmp (O_PATH). Returns a file descriptor, or -errno. */
int code_file__open_tmp(pid_t pid);
/*
 * Opens the map file in @tmp. Returns a file descriptor; -ENOENT; -EPERM if the file must not be
 * read, because it belongs to another user or is not a regular file; or another -errno.
 */
int code_file__open_map(int tmp, const struct code_owner *owner);
/* Opens the jitdump that is mapped there. Returns the same as code_file__open_map(). */
int code_file__open_dump(pid_t pid, uint64_t addr, uint64_t len, const struct code_owner *owner);

#endif
